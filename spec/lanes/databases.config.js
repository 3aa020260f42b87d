import base from '../../jest.config.js'

/** Specs that need a MariaDB or MySQL server, whose address is in MARIADB_URL: `npm run test:databases`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/spec/databases'],
  testPathIgnorePatterns: ['/node_modules/'],
}
