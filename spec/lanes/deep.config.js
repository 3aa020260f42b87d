import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import base from '../../jest.config.js'

const spec = fileURLToPath(new URL('..', import.meta.url))

// Read by spec/support/random.ts. Workers inherit it.
process.env.RUNS ??= '1'

/** Unit specs whose random tests run more often here. */
function randomSpecs() {
  return readdirSync(spec, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.spec.ts') && !/^(clients|databases)\//.test(file))
    .filter((file) => /\/(support\/random|contracts\/[\w-]+)\.js'/.test(readFileSync(spec + file, 'utf8')))
}

/** Random tests in full, and specs that take long or need the network: `npm run test:deep`. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['**/*.deep.spec.ts', ...randomSpecs().map((file) => `<rootDir>/spec/${file}`)],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/spec/clients/', '\\.check\\.spec\\.ts$'],
  testTimeout: 600_000,
  globalSetup: '<rootDir>/spec/setup/deep-setup.mjs',
}
