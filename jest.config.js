/** Specs run on the TypeScript sources; what ships is tested from the packed tarball (spec/package). */
export default {
  roots: ['<rootDir>/spec'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/spec/slow/',
    '<rootDir>/spec/databases/',
    '<rootDir>/spec/clients/',
  ],
  // What it needs is installed on its own, and is much.
  modulePathIgnorePatterns: ['<rootDir>/spec/clients/'],
  testEnvironment: 'node',
  // Against waiting for ever, not against slow machines.
  testTimeout: 30_000,
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
    '^express-odata-v2$': '<rootDir>/lib/index.ts',
    '^express-odata-v2/node$': '<rootDir>/lib/node.ts',
    '^express-odata-v2/sql$': '<rootDir>/lib/sql.ts',
    '^express-odata-v2/audit$': '<rootDir>/lib/audit.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  coverageProvider: 'v8',
  collectCoverageFrom: ['lib/**/*.ts'],
}
