import base from '../../jest.config.js'

/** Unit specs on the modules of lib instead of the bundle, so that Jest knows which specs a change concerns. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/spec', '<rootDir>/lib'],
  testEnvironment: 'node',
  runtime: 'jest-runtime',
  testSequencer: '<rootDir>/spec/lanes/nearest-first.mjs',
  globalSetup: '<rootDir>/spec/setup/offer-postgres.mjs',
  moduleNameMapper: {
    '^express-odata-v2$': '<rootDir>/lib/index.ts',
    '^express-odata-v2/(\\w+)$': '<rootDir>/lib/$1.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
}
