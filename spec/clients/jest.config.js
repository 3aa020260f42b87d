import base from '../../jest.config.js'

/** Clients that people have, against the service over HTTP: `npm ci --prefix spec/clients && npm run test:clients`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/spec/clients'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: [],
  moduleNameMapper: {
    // As generate-clients.mjs has made them.
    '^@northwind/cloud-sdk$': '<rootDir>/spec/clients/node_modules/.cache/northwind/cloud-sdk/index.js',
    '^@northwind/odata2ts$':
      '<rootDir>/spec/clients/node_modules/.cache/northwind/odata2ts/NorthwindService.js',
    ...base.moduleNameMapper,
  },
  testTimeout: 120_000,
}
