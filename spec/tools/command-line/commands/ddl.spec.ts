import SQLite from 'better-sqlite3'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeEdmx } from '../../../../lib/csdl/write-edmx.js'
import { run } from '../../../../lib/tools/command-line/run.js'
import { northwindModel } from '../../../../sample-app/northwind/northwind-service.js'
import { commandIo } from '../../../support/command-io.js'

const directory = mkdtempSync(join(tmpdir(), 'ddl-'))
const model = join(directory, 'northwind.edmx')
const file = join(directory, 'northwind.sqlite')

beforeAll(() => {
  writeFileSync(model, writeEdmx(northwindModel))
})

afterAll(() => {
  rmSync(directory, { recursive: true })
})

async function ran(...words: readonly string[]) {
  const io = commandIo('')
  return { code: await run(['ddl', model, ...words], io), printed: io.printed(), errors: io.errors() }
}

describe('The command ddl', () => {
  it('MUST write statements that create the tables of a model, and then none that change them', async () => {
    const created = await ran('--database', 'sqlite', '--names', 'snake_case')
    expect(created).toMatchObject({ code: 0, errors: '' })
    expect(created.printed).toContain('create table "products" (')
    new SQLite(file).exec(created.printed).close()
    expect(await ran('--to', file)).toEqual({ code: 0, printed: '', errors: 'The tables fit the model.' })
  })

  it('MUST write statements that add missing columns', async () => {
    const database = new SQLite(file)
    database.exec('alter table suppliers drop column company_name')
    database.close()
    const { printed, errors } = await ran('--to', file)
    expect(printed).toMatch(/^alter table "suppliers" add column "CompanyName" [^;]*;$/)
    expect(errors).toMatch(/^Note: The new column 'CompanyName' of 'suppliers' is required/)
  })

  it.each([
    [[], 'Name either a kind of database with --database, or a database with --to.'],
    [['--database', 'postgre'], "--database must be one of sqlite, postgres, mysql, mariadb, not 'postgre'."],
    [['--database', 'sqlite', '--names', 'camel'], "--names must be one of same, snake_case, not 'camel'."],
    [['--to', join(directory, 'none.sqlite')], 'none.sqlite'],
  ])('MUST reject %j', async (words, message) => {
    const { code, errors } = await ran(...words)
    expect(code).toBe(2)
    expect(errors).toContain(message)
  })
})
