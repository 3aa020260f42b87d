/**
 * Generates docs/reference from the docstrings of all exports: `npm run docs`. With `--check`, writes nothing, and exits
 * with 1 if a page is outdated.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { overviewPage, referencePage } from './reference/page.mjs'
import { readEntries } from './reference/read-entries.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs/reference')

async function pagesOf(entries) {
  const config = await resolveConfig(join(root, 'package.json'))
  const formatted = (text) => format(text, { ...config, parser: 'markdown' })
  const pages = new Map([['README.md', await formatted(overviewPage(entries))]])
  for (const entry of entries) pages.set(`${entry.page}.md`, await formatted(referencePage(entry, entries)))
  return pages
}

async function existing() {
  const names = await readdir(folder).catch(() => [])
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  )
}

const pages = await pagesOf(readEntries(root))
if (process.argv.includes('--check')) {
  const before = await existing()
  const names = [...new Set([...before.keys(), ...pages.keys()])].sort()
  const outdated = names.filter((name) => before.get(name) !== pages.get(name))
  for (const name of outdated) console.error(`docs/reference/${name} is out of date: run 'npm run docs'.`)
  process.exitCode = outdated.length > 0 ? 1 : 0
} else {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [name, text] of pages) await writeFile(join(folder, name), text)
}
