import { readFileSync } from 'node:fs'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { TestEnvironment } from 'jest-environment-node'
import { disableAsyncStorages, recordAsyncStorages } from './async-storages.mjs'
import { recordCoverage, startCoverage } from './coverage-recorder.mjs'
import { librarySource } from './library-bundle.mjs'
import { shareScripts } from './shared-scripts.mjs'

const { SPEC_COVERAGE: coverageFolder } = process.env
if (coverageFolder !== undefined) startCoverage()
recordAsyncStorages()
shareScripts()

let library

/** Compiles lib once per worker. Jest itself would compile the bundle again for every spec file, which takes 60 ms. */
export default class LibraryEnvironment extends TestEnvironment {
  async setup() {
    await super.setup()
    library ??= new Script(readFileSync(librarySource, 'utf8'), {
      filename: pathToFileURL(librarySource).href,
    })
    this.global.specLibrary = library.runInContext(this.getVmContext())
    // PGlite imports modules dynamically, which Jest does not support.
    this.global.importPGlite = () => import('@electric-sql/pglite')
  }

  async teardown() {
    if (coverageFolder !== undefined) recordCoverage(coverageFolder, librarySource)
    await super.teardown()
    disableAsyncStorages()
  }
}
