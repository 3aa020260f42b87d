import base from '../../jest.config.js'

/** What takes long, or needs the network: `npm run test:slow`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/spec/slow'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
}
