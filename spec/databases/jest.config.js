import base from '../../jest.config.js'

/** What needs a database server from outside: `MARIADB_URL` names it. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/spec/databases'],
  testPathIgnorePatterns: ['/node_modules/'],
}
