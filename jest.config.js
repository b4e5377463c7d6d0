import { swcOptionsOf } from './scripts/compile.js'

const swc = ['@swc/jest', { ...swcOptionsOf(`${import.meta.dirname}/tsconfig.json`), sourceMaps: 'inline' }]
const modules = {
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
}
const sources = `^${import.meta.dirname.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}[\\\\/]src[\\\\/]`

/** Starts a PostgreSQL for each process of Jest, in which each spec file has its own database. */
const withPostgres = {
  globalSetup: '<rootDir>/test/support/start-postgres.js',
  globalTeardown: '<rootDir>/test/support/stop-postgres.js',
}

/** Specs that start the service. Each process of Jest loads the service and NestJS only once. */
const withService = {
  ...modules,
  ...withPostgres,
  testEnvironment: '<rootDir>/test/support/built/environment.js',
  transform: {
    [sources]: '<rootDir>/test/support/built/modules.js',
    '/test/support/(?:openapi/document|built/(?:database-copies|shared-service|test-settings))\\.js$':
      '<rootDir>/test/support/built/modules.js',
    '/node_modules/(?:(?:typeorm|pg)/.+\\.mjs|@nestjs/.+\\.js)$': '<rootDir>/test/support/built/modules.js',
    '\\.ts$': swc,
  },
  transformIgnorePatterns: ['/node_modules/(?!(?:typeorm|pg|@nestjs)/)'],
}

export default {
  projects: [
    {
      ...modules,
      displayName: 'unit',
      testMatch: ['<rootDir>/src/**/*.spec.ts'],
      testEnvironment: '<rootDir>/test/support/built/file-environment.js',
      transform: { '\\.ts$': swc },
      setupFiles: ['reflect-metadata'],
    },
    { ...withService, displayName: 'api', testMatch: ['<rootDir>/test/api/**/*.spec.ts'] },
    { ...withService, displayName: 'system', testMatch: ['<rootDir>/test/system/**/*.spec.ts'] },
  ],
  testTimeout: 60_000,
  // Many tests wait for processes and clocks, so two cores can run three files at once. Jest would run one at a time.
  // Specs of the system tier start whole services, which need more of the processor.
  maxWorkers: process.argv.includes('system') ? 2 : 3,
  // A process first closes the service that its spec files shared.
  workerGracefulExitTimeout: 10_000,
}
