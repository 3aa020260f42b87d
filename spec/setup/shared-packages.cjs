const { createRequire } = require('node:module')
const Runtime = require('jest-runtime').default

/** Resolved by Jest: relative paths, Jest itself, and this package, which jest.config.js maps to its sources. */
const RESOLVED_BY_JEST = /^[./]|^@jest\/|^express-odata-v2/

/** Excludes generated modules, and packages that are ES modules, which Jest transforms. */
const SHARED = /[\\/]node_modules[\\/](?!\.cache[\\/]|mime[\\/]|@seriousme[\\/])/

/**
 * Loads packages with the `require` of Node.js: once per worker, instead of once per spec file.
 *
 * The evaluation of Express, drivers and their dependencies takes longer than the tests of most files.
 */
class PackageSharingRuntime extends Runtime {
  requireModuleOrMock(from, name) {
    const path = RESOLVED_BY_JEST.test(name) ? undefined : resolvePackage(from, name)
    return path === undefined ? super.requireModuleOrMock(from, name) : createRequire(from)(path)
  }
}

/** @returns undefined unless the module belongs to a shared package */
function resolvePackage(from, name) {
  try {
    const path = createRequire(from).resolve(name)
    return SHARED.test(path) ? path : undefined
  } catch {
    // Names of `moduleNameMapper`, and packages that are not installed.
    return undefined
  }
}

module.exports = { default: PackageSharingRuntime, __esModule: true }
