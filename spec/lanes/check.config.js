import base from '../../jest.config.js'

/** Specs that inspect sources, documentation and types: part of `npm run check`. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['**/*.check.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/spec/clients/'],
}
