/** Pages at the start and at the end of a tree of a million files: they must cost the same. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { closeSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { fileModel, fileProvider, odataV2 } from 'express-odata-v2'

const directories = 1000
const filesInEach = 999

async function plant(root) {
  for (let index = 0; index < directories; index++) {
    const directory = join(root, `d${String(index).padStart(4, '0')}`)
    await mkdir(directory)
    for (let file = 0; file < filesInEach; file++) {
      closeSync(openSync(join(directory, `f${String(file).padStart(4, '0')}.txt`), 'w'))
    }
  }
}

async function timed(address) {
  const start = performance.now()
  const response = await fetch(address)
  const { d } = await response.json()
  return { milliseconds: performance.now() - start, entities: d.results.length, last: d.results.at(-1)?.path }
}

async function best(address, times = 15) {
  const first = await timed(address)
  let least = first
  for (let index = 0; index < times; index++) {
    const next = await timed(address)
    if (next.milliseconds < least.milliseconds) least = next
  }
  return { ...least, first: first.milliseconds }
}

const root = await mkdtemp(join(tmpdir(), 'million-files-'))
try {
  await plant(root)
  const app = express()
  app.use('/files', odataV2(fileModel, fileProvider(root), { pageSize: 100 }))
  const server = app.listen(0)
  const base = `http://localhost:${server.address().port}/files/Files?$format=json`
  const token = (path) => `${base}&$skiptoken=${encodeURIComponent(`'${path}'`)}`
  const pages = {
    warmUp: token('/d0500/f0500.txt'),
    'the first page': base,
    'a page at the end of a directory': token('/d0700/f0950.txt'),
    'a page at the end of the tree': token('/d0999/f0890.txt'),
  }
  const times = {}
  for (const [name, address] of Object.entries(pages)) times[name] = await best(address)
  for (const [name, { milliseconds, first, entities, last }] of Object.entries(times)) {
    const numbers = `${milliseconds.toFixed(2)} ms, first time ${first.toFixed(2)} ms`
    if (name !== 'warmUp') console.log(`${name.padEnd(34)} ${numbers} (${entities} entities, up to ${last})`)
  }
  const ratio = times['a page at the end of the tree'].milliseconds / times['the first page'].milliseconds
  console.log(`end / start: ${ratio.toFixed(2)}`)
  server.close()
  server.closeAllConnections()
} finally {
  await rm(root, { recursive: true, force: true })
}
