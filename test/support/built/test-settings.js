/** What services in tests are started with, whoever starts them. */
export const pepper = 'a pepper for tests that is long enough'
export const encryptionKey = 'an encryption key for tests, long enough'

/** As environment variables. */
export const environmentOf = (dataDir) => ({
  PORT: '0',
  LOG_LEVEL: 'silent',
  ROLE: 'api',
  RATE_LIMIT: 'off',
  DATA_DIR: dataDir,
})
