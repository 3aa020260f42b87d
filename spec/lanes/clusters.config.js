import base from '../../jest.config.js'

/** Specs that start distributed databases of their own: `npm run test:cluster`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/spec/clusters'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
}
