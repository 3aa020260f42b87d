import { bundleLibrary } from './library-bundle.mjs'
import startPostgres from './start-postgres.mjs'

/** Runs once, before all specs. */
export default async function globalSetup() {
  await Promise.all([startPostgres(), bundleLibrary()])
}
