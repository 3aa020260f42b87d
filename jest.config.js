import { availableParallelism } from 'node:os'
import process from 'node:process'

// Jest starts its workers with the options of this process. Specs create much garbage, whose collection takes a fifth of
// their time with Node's default of 16 MB.
process.execArgv.push('--max-semi-space-size=64')

/**
 * The unit specs: `npm test`. The other lanes, which are in spec/lanes, extend this configuration.
 *
 * Specs run on the TypeScript sources. The published package is tested in spec/package.
 */
export default {
  roots: ['<rootDir>/spec'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '\\.(deep|check)\\.spec\\.ts$',
    '<rootDir>/spec/databases/',
    '<rootDir>/spec/clusters/',
    '<rootDir>/spec/clients/',
  ],
  // Has packages of its own.
  modulePathIgnorePatterns: ['<rootDir>/spec/clients/'],
  runtime: '<rootDir>/spec/setup/shared-packages.cjs',
  testEnvironment: '<rootDir>/spec/setup/environment.mjs',
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // A worker with more memory than this is replaced after its current file.
  workerIdleMemoryLimit: '1GB',
  // Ends tests that hang. Far above what a slow machine needs.
  testTimeout: 60_000,
  globalSetup: '<rootDir>/spec/setup/global-setup.mjs',
  globalTeardown: '<rootDir>/spec/setup/global-teardown.mjs',
  transform: {
    '^.+\\.[jt]s$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!mime/|@seriousme/)'],
  moduleNameMapper: {
    // The global set-up bundles lib, so that spec files load one script instead of hundreds of modules.
    '^express-odata-v2$': '<rootDir>/node_modules/.cache/spec-library/index.js',
    '^express-odata-v2/(\\w+)$': '<rootDir>/node_modules/.cache/spec-library/$1.js',
    '^(?:\\.\\./)+lib/(.+)\\.js$': '<rootDir>/node_modules/.cache/spec-library/$1.js',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
}
