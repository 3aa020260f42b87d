import process from 'node:process'
import { ModernFakeTimers } from '@jest/fake-timers'
import { ModuleMocker } from 'jest-mock'
import { disableAsyncStorages, recordAsyncStorages } from './async-storages.mjs'
import { recordCoverage, startCoverage } from './coverage-recorder.mjs'
import { preserveGlobals } from './preserve-globals.mjs'
import { librarySource } from './library-bundle.mjs'
import { shareFunctions } from './shared-functions.mjs'
import { shareLibrary } from './shared-library.mjs'

const { SPEC_COVERAGE: coverageFolder } = process.env
if (coverageFolder !== undefined) startCoverage()
recordAsyncStorages()

/** Stands for the context of the worker itself, since `vm` has no object for it. */
const workerContext = {}
shareFunctions(workerContext)

/**
 * Runs all spec files of a worker in its own context. Each file evaluates the modules of spec that it imports. Those of
 * lib and of packages are evaluated once per worker, as in the process of a user.
 *
 * Jest's environment creates a context per file, in which V8 optimizes all functions of lib, Express and Jest anew.
 */
export default class WorkerEnvironment {
  global = globalThis
  moduleMocker = new ModuleMocker(globalThis)
  fakeTimers = null

  constructor({ projectConfig }) {
    this.restoreGlobals = preserveGlobals()
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis })
  }

  async setup() {
    this.global.specLibrary = shareLibrary()
    // PGlite imports modules dynamically, which Jest does not support.
    this.global.importPGlite = () => import('@electric-sql/pglite')
  }

  async teardown() {
    if (coverageFolder !== undefined) recordCoverage(coverageFolder, librarySource)
    this.fakeTimersModern.dispose()
    this.restoreGlobals()
    // Tells Jest that modules can no longer be evaluated.
    this.global = null
    disableAsyncStorages()
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  getVmContext() {
    return workerContext
  }
}
