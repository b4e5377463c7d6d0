/** Settings of all services in tests. */
export const pepper = 'a pepper for tests that is long enough'
export const encryptionKey = 'an encryption key for tests, long enough'

/** Additional settings, as environment variables. */
export const createEnvironment = (dataDir) => ({
  PORT: '0',
  LOG_LEVEL: 'silent',
  ROLE: 'api',
  RATE_LIMIT: 'off',
  DATA_DIR: dataDir,
})
