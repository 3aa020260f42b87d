import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bundlePage } from '../../scripts/bundle-page.mjs'
import { bundleLibrary } from './library-bundle.mjs'
import offerPostgres from './offer-postgres.mjs'

/** Runs once, before all specs. */
export default async function globalSetup() {
  await Promise.all([offerPostgres(), bundleLibrary(), writePage()])
}

/** Writes the page of the explorer where the library finds it without a build. */
async function writePage() {
  for (const { path, text } of await bundlePage()) {
    const file = join('dist/esm', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}
