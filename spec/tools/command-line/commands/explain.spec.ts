import SQLite from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../../../lib/tools/command-line/run.js'
import { commandIo } from '../../../support/command-io.js'

const directory = mkdtempSync(join(tmpdir(), 'explain-'))
const file = join(directory, 'shop.sqlite')

beforeAll(() => {
  new SQLite(file)
    .exec('create table products (id integer primary key, name text not null, rating integer not null)')
    .close()
})

afterAll(() => {
  rmSync(directory, { recursive: true })
})

async function ran(...words: readonly string[]) {
  const io = commandIo('')
  return { code: await run(['explain', ...words], io), printed: io.printed(), errors: io.errors() }
}

describe('The command explain', () => {
  it('MUST print the parts of the query, the statements, their plans and advice', async () => {
    const { code, printed } = await ran(file, "Products?$filter=Rating eq 7 and isof(Name,'Edm.String')")
    expect(code).toBe(0)
    expect(printed).toContain('  by the database: $filter=Rating eq 7')
    expect(printed).toContain("  by the service:  $filter=isof(Name,'Edm.String'): the provider does not")
    expect(printed).toContain('    SCAN t0')
    expect(printed).toContain('  Faster with: create index … on "products" ("rating", "id")')
  })

  it('MUST print JSON for programs', async () => {
    const { printed } = await ran(file, 'Products', '--format', 'json')
    expect(JSON.parse(printed)).toMatchObject({ request: 'GET /Products?explain=true', status: 200 })
    const missing = await ran(file, 'Products(7)')
    expect([missing.code, missing.printed, missing.errors]).toEqual([2, '', expect.stringMatching(/\S/)])
  })

  it.each([
    [[file], 'Which request do you want to explain? Name a database and one path.'],
    [[file, 'Product'], "Did you mean 'Products'?"],
    [[directory, 'Products'], 'is not a database.'],
  ])('MUST reject %j', async (words, message) => {
    const { code, errors } = await ran(...words)
    expect(code).toBe(2)
    expect(errors).toContain(message)
  })
})
