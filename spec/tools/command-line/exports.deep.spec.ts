import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { BuiltProgram } from '../../support/command-process.js'

const ROWS = 500_000
/** Less than the text of a file, which therefore cannot be in memory as a whole. */
const HEAP_MEGABYTES = 40

const directory = mkdtempSync(join(tmpdir(), 'exports-'))
const file = join(directory, 'large.sqlite')
let program: BuiltProgram

beforeAll(() => {
  program = new BuiltProgram()
  const database = new SQLite(file)
  database.exec('create table Products (ID integer primary key not null, Name text, Stock integer)')
  const insert = database.prepare('insert into Products values (?, ?, ?)')
  database.transaction(() => {
    for (let id = 1; id <= ROWS; id++) insert.run(id, `${'x'.repeat(100)}${id}`, id % 7)
  })()
  database.close()
})

afterAll(() => {
  program.remove()
  rmSync(directory, { recursive: true })
})

/** Returns the number of bytes of a response. */
async function download(url: string): Promise<number> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  let bytes = 0
  for await (const chunk of response) bytes += (chunk as Buffer).length
  return bytes
}

describe('Exports of a table that is larger than the memory', () => {
  it('MUST be sent completely, row by row', async () => {
    const environment = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` }
    const running = program.start(['serve', file, '--exports', '--port', '0'], environment)
    try {
      const [root = ''] = /http:\/\/\S+/.exec(await running.printed(/http:\/\/\S+\n/)) ?? []
      const csv = await download(`${root}Products?$format=csv`)
      expect(csv).toBeGreaterThan(HEAP_MEGABYTES * 1_048_576)
      expect(await download(`${root}Products?$format=xlsx`)).toBeGreaterThan(1_048_576)
      expect(running.child.exitCode).toBeNull()
    } finally {
      running.child.kill()
      await running.ended
    }
  })
})
