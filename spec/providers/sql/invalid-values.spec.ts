import express from 'express'
import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { TestServer } from '../../support/http-exchange.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

const model = defineModel({
  namespace: 'Invalid',
  entityTypes: {
    Cell: {
      key: ['ID'],
      properties: {
        ID: edm.String({ nullable: false }),
        Flag: edm.Boolean(),
        Small: edm.Byte(),
        Whole: edm.Int32({ nullable: false }),
        Long: edm.Int64(),
        Price: edm.Decimal(),
        Weight: edm.Double(),
        Name: edm.String(),
        Code: edm.Guid(),
        At: edm.DateTime(),
        Changed: edm.DateTimeOffset(),
        Opens: edm.Time(),
        Pic: edm.Binary(),
        Next: edm.String(),
      },
      navigationProperties: {
        Successor: { relationship: 'Succession', fromRole: 'Old', toRole: 'New' },
      },
    },
  },
  associations: {
    Succession: {
      ends: { Old: { type: 'Cell', multiplicity: '*' }, New: { type: 'Cell', multiplicity: '0..1' } },
      referentialConstraint: {
        principal: { role: 'New', properties: ['ID'] },
        dependent: { role: 'Old', properties: ['Next'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Cells: { entityType: 'Cell' } },
    associationSets: { Succession: { association: 'Succession', ends: { Old: 'Cells', New: 'Cells' } } },
  },
})

const table = `create table "Cells" ("ID" text primary key, "Flag" boolean, "Small" integer, "Whole" integer,
  "Long" integer, "Price" decimal, "Weight" real, "Name" text, "Code" guid, "At" datetime,
  "Changed" datetime, "Opens" time, "Pic" blob, "Next" text)`

/** Values of columns in SQL: those that are valid, and those that no property of the type can have. */
const values: Readonly<
  Record<string, { readonly valid: readonly string[]; readonly invalid: readonly string[] }>
> = {
  Flag: { valid: ['0', '1', 'true', 'null'], invalid: ["'true'", "'f'", '7', '0.5', "''"] },
  Small: { valid: ['0', '255'], invalid: ['256', '-1', "'abc'"] },
  Whole: { valid: ['-2147483648', '2.0'], invalid: ["'abc'", '2.5', '3000000000', "''", "x'00'"] },
  Long: { valid: ['9223372036854775807'], invalid: ["'abc'", '1e30', "''"] },
  Price: { valid: ['1.5', "'12.50'", '-3'], invalid: ["'abc'", "''", '9e999', "'1,5'"] },
  Weight: { valid: ['1', '1.5'], invalid: ["'abc'", "''"] },
  Name: { valid: ["'x'", "''", '5'], invalid: ["x'00ff'"] },
  Code: {
    valid: ["'0f8fad5b-d9cb-469f-a165-70867728950e'", "'0F8FAD5B-D9CB-469F-A165-70867728950E'"],
    invalid: ["'abc'", "'0f8fad5bd9cb469fa16570867728950e'", '7'],
  },
  At: {
    valid: ["'2023-02-28'", "'2023-02-28 10:11'", "'2023-02-28T10:11:12.1234567'", "'2023-02-28 10:11:12Z'"],
    invalid: ["''", "'abc'", "'2023-02-30'", "'0000-00-00'", '7', "'2023-02-28x'"],
  },
  Changed: { valid: ["'2023-02-28 10:11:12+00:00'"], invalid: ["''", "'28.02.2023'"] },
  Opens: { valid: ["'10:11'", "'10:11:12.5'"], invalid: ["''", "'24:00'", "'10:61'", '7'] },
  Pic: { valid: ["x'00ff'"], invalid: ["'abc'", '7'] },
}
/** Whole numbers of the wrong size are not refused by the provider. */
const outOfRange = ['256', '-1', '3000000000']
const cells = (kind: 'valid' | 'invalid') =>
  Object.entries(values).flatMap(([name, of]) => of[kind].map((value) => ({ name, value })))

type Feed = readonly Readonly<Record<string, unknown>>[]

type Options = Omit<SqlProviderOptions, 'functions'>

class Service {
  readonly notices: string[] = []
  readonly errors: string[] = []

  private constructor(
    private readonly db: AnyDatabase,
    private readonly database: ReturnType<typeof cacheStatements>,
  ) {}

  private server: TestServer | undefined

  static async start(rows: readonly string[], options: Options, direct = false): Promise<Service> {
    const database = cacheStatements(new SQLite(':memory:'))
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
    await sql.raw(table).execute(db)
    for (const row of rows) await sql.raw(`insert into "Cells" ${row}`).execute(db)
    const service = new Service(db, database)
    await service.mount({ ...options, ...(direct ? { sqlite: database } : {}) })
    return service
  }

  private async mount(options: Options): Promise<void> {
    const provider = sqlProvider(model, this.db, {
      ...options,
      ...(options.invalidValues === 'null' ? { onNotice: (notice) => this.notices.push(notice) } : {}),
    })
    await provider.ready()
    const onError = ({ cause }: { readonly cause?: unknown }): void => {
      this.errors.push(cause instanceof Error ? cause.message : String(cause))
    }
    this.server = await TestServer.start(express().use('/s', odataV2(model, provider, { onError })))
  }

  async send(method: string, path: string, json?: unknown): Promise<{ status: number; text: string }> {
    if (this.server === undefined) throw new Error('The service has not started.')
    return this.server.send(`/s/${path}`, {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
  }

  async feed(query: string): Promise<Feed> {
    const { status, text } = await this.send('GET', `Cells?${query}`)
    expect([status, status === 200 ? '' : text]).toEqual([200, ''])
    return (JSON.parse(text) as { d: { results: Feed } }).d.results
  }

  async ids(filter: string): Promise<unknown> {
    return (await this.feed(`$filter=${encodeURIComponent(filter)}`)).map(({ ID }) => ID)
  }

  async stop(): Promise<void> {
    await this.server?.stop()
    await this.db.destroy()
    this.database.close()
  }
}

describe('Values in SQLite that are invalid for their property', () => {
  let service: Service

  afterEach(() => service.stop())

  it.each(cells('invalid').filter(({ value }) => !outOfRange.includes(value)))(
    'MUST be rejected unless an option allows them: $name $value',
    async ({ name, value }) => {
      service = await Service.start([`("ID", "${name}") values ('a', ${value})`], {})
      const { status } = await service.send('GET', 'Cells')
      expect([status, service.errors.join()]).toEqual([500, expect.stringContaining(`property '${name}'`)])
    },
  )

  it.each(cells('invalid'))("MUST be null with invalidValues 'null': $name $value", async (cell) => {
    const { name, value } = cell
    service = await Service.start(
      [`("ID", "Whole", "${name}") values ('a', 5, ${value})`, `("ID", "Whole") values ('b', 5)`].map(
        (row) => (name === 'Whole' ? row.replace('"Whole", "Whole"', '"Whole"').replace('5, ', '') : row),
      ),
      { invalidValues: 'null' },
    )
    const [first] = await service.feed('$orderby=ID')
    expect(first).toMatchObject({ ID: 'a', [name]: null })
    expect(service.notices).toEqual([`Cells('a'): the value of '${name}' is invalid and served as null.`])
    expect(await service.ids(`${name} eq null and ID eq 'a'`)).toEqual(['a'])
    expect(await service.ids(`${name} ne null and ID eq 'a'`)).toEqual([])
    expect((await service.feed(`$orderby=${name},ID`))[0]).toMatchObject({ ID: 'a' })
    expect((await service.send('GET', "Cells('a')")).status).toBe(200)
  })

  it.each(cells('valid'))(
    "MUST leave valid ones alone with invalidValues 'null': $name $value",
    async (cell) => {
      const { name, value } = cell
      const row = `("ID", "${name}") values ('a', ${value})`
      const rows = [
        name === 'Whole' ? row : row.replace('("ID"', '("Whole", "ID"').replace("('a'", "(5, 'a'"),
      ]
      service = await Service.start(rows, {})
      const [expected] = await service.feed('')
      await service.stop()
      service = await Service.start(rows, { invalidValues: 'null' }, true)
      const [found] = await service.feed('')
      expect([found?.[name], service.notices]).toEqual([expected?.[name], []])
    },
  )

  it('MUST skip rows without a valid key, and report their number', async () => {
    service = await Service.start(
      [
        `("ID", "Whole") values (null, 1)`,
        `("ID", "Whole") values (x'00', 1)`,
        `("ID", "Whole") values ('a', 1)`,
      ],
      { invalidValues: 'null' },
    )
    expect((await service.feed('')).map(({ ID }) => ID)).toEqual(['a'])
    expect((await service.send('GET', 'Cells/$count')).text).toBe('1')
    expect(service.notices).toEqual([
      "'Cells': 2 rows have null or an invalid value in the key and cannot be served.",
    ])
  })

  it('MUST be null where they are reached by navigation, expanded and repaired', async () => {
    service = await Service.start(
      [`("ID", "Whole", "Next") values ('a', 1, 'b')`, `("ID", "Whole", "At") values ('b', 'abc', '')`],
      { invalidValues: 'null' },
    )
    expect(
      await service.ids('Successor/Whole eq null and Successor/At eq null and Successor/ID ne null'),
    ).toEqual(['a'])
    expect(await service.feed("$filter=ID eq 'a'&$expand=Successor".replaceAll(' ', '%20'))).toMatchObject([
      { Successor: { ID: 'b', Whole: null } },
    ])
    expect((await service.send('MERGE', "Cells('b')", { Name: 'x' })).status).toBe(204)
    expect((await service.send('MERGE', "Cells('b')", { Whole: 7 })).status).toBe(204)
    expect(await service.ids('Whole eq 7')).toEqual(['b'])
  })
})

describe('The option invalidValues', () => {
  it('MUST be `error` or `null`', async () => {
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    const options = { invalidValues: 'zero' } as unknown as SqlProviderOptions
    expect(() => sqlProvider(model, db, options)).toThrow("invalidValues must be 'error' or 'null'")
    await db.destroy()
  })
})
