import { sql } from 'kysely'
import express from 'express'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { nameOfType } from '../../../lib/edm/edm-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { SqlProviderOptions } from '../../../lib/sql.js'
import { introspect, sqlProvider } from '../../../lib/sql.js'
import { TestServer } from '../http-exchange.js'
import type { AnyDatabase } from './model-tables.js'

/** A column type of a database: its property, and what the service does with its values. */
export interface ColumnTypeRow {
  /** The type in SQL. */
  readonly column: string
  /** The type of the property without `Edm.`. */
  readonly edm: string
  /** Values in SQL, and the same values in JSON. */
  readonly values: readonly (readonly [sql: string, json: unknown])[]
  /** Values of clients that the database cannot store, and the reason in the response. */
  readonly refused?: Readonly<Record<string, string>>
  /** A filter that selects only the first value. Default: that it is equal, for strings */
  readonly filter?: string
  /** True if several stored values are shown as the same, so that a new one may differ. */
  readonly isAmbiguous?: boolean
  /** Statements before the table is created. */
  readonly before?: readonly string[]
}

/** A service on the table `things (id, v)`, whose column `v` has a type. */
export class TypedTable {
  private static readonly started: TypedTable[] = []

  private constructor(
    private readonly db: AnyDatabase,
    readonly model: EdmModel,
    private readonly server: TestServer,
    readonly errors: readonly string[],
    readonly notices: readonly string[],
  ) {}

  static async open(
    db: AnyDatabase,
    statements: readonly string[],
    options: Omit<SqlProviderOptions, 'functions'> = {},
  ): Promise<TypedTable> {
    for (const statement of statements) await sql.raw(statement).execute(db)
    const model = await introspect(db)
    const errors: string[] = []
    const notices: string[] = []
    const provider = sqlProvider(model, db, { onNotice: (notice) => notices.push(notice), ...options })
    await provider.ready()
    const onError = ({ cause }: { readonly cause?: unknown }): void => {
      errors.push(cause instanceof Error ? cause.message : String(cause))
    }
    const server = await TestServer.start(
      express().use('/s', odataV2(model, provider, { onError, exports: true })),
    )
    const table = new TypedTable(db, model, server, errors, notices)
    TypedTable.started.push(table)
    return table
  }

  static ofRow(db: AnyDatabase, { before = [], column, values }: ColumnTypeRow): Promise<TypedTable> {
    const rows = values.map(([value], index) => `(${String(index + 1)}, ${value})`)
    return TypedTable.open(db, [
      ...before,
      `create table things (id int primary key, v ${column})`,
      ...(rows.length === 0 ? [] : [`insert into things values ${rows.join(', ')}`]),
    ])
  }

  /** The type of the property. */
  get type(): string {
    const property = this.model.defaultContainer.entitySets[0]?.entityType.property('V')
    return property === undefined ? '' : nameOfType(property.type).replace('Edm.', '')
  }

  /** The stored bytes of each row. */
  async bytes(expression: string): Promise<readonly unknown[]> {
    const { rows } = await sql
      .raw<{ b: unknown }>(`select ${expression} as b from things order by id`)
      .execute(this.db)
    return rows.map(({ b }) => b)
  }

  async send(method: string, path: string, json?: unknown): Promise<{ status: number; text: string }> {
    return this.server.send(`/s/${path}`, {
      method,
      headers: {
        Accept: path === '$metadata' ? 'application/xml' : 'application/json',
        'Content-Type': 'application/json',
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
  }

  /** The values of `V` of a collection, in the order of the response. */
  async values(query = ''): Promise<readonly unknown[]> {
    return (await this.rows(query)).map(({ V }) => V)
  }

  /** The keys of a collection. */
  async ids(query: string): Promise<readonly unknown[]> {
    return (await this.rows(query)).map(({ Id }) => Id)
  }

  async rows(query: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { status, text } = await this.send('GET', `Things?${encodeURI(query).replaceAll('+', '%2B')}`)
    if (status !== 200) throw new Error(`${String(status)} ${text} ${this.errors.join()}`)
    return (JSON.parse(text) as { d: { results: Readonly<Record<string, unknown>>[] } }).d.results
  }

  /** The status and the message of an error. */
  async refusal(method: string, path: string, json?: unknown): Promise<string> {
    const { status, text } = await this.send(method, path, json)
    const { error } = JSON.parse(text === '' ? '{}' : text) as { error?: { message: { value: string } } }
    return `${String(status)} ${error?.message.value ?? ''}`
  }

  /** Stops the services of a test. */
  static async stopAll(): Promise<void> {
    for (const { server } of TypedTable.started.splice(0)) await server.stop()
  }
}

/**
 * Checks a row of the table of types: the type of the property, what GET shows, that its values can be filtered and
 * sorted, that a client can send them back without a change of the stored bytes, and what is refused.
 *
 * @param bytes expression for the bytes of `v`
 */
export async function checkType(db: AnyDatabase, row: ColumnTypeRow, bytes: string): Promise<void> {
  const table = await TypedTable.ofRow(db, row)
  expect(table.type).toBe(row.edm)
  const shown = row.values.map(([, json]) => json)
  expect(await table.values('$orderby=Id')).toEqual(shown)
  const before = await table.bytes(bytes)
  for (const [index, value] of shown.entries()) {
    const entity = `Things(${String(index + 1)})`
    expect(await table.refusal('MERGE', entity, { V: value })).toBe('204 ')
  }
  expect(await table.bytes(bytes)).toEqual(before)
  // Inserted as sent.
  for (const [index, value] of shown.entries()) {
    expect(await table.refusal('POST', 'Things', { Id: 100 + index, V: value })).toBe('201 ')
  }
  const after = await table.bytes(bytes)
  expect(after.slice(0, shown.length)).toEqual(before)
  if (row.isAmbiguous !== true) expect(after).toEqual([...before, ...before])
  for (const [value, reason] of Object.entries(row.refused ?? {})) {
    const expected = `400 Property 'V': ${reason}.`
    expect([value, await table.refusal('MERGE', 'Things(1)', { V: value })]).toEqual([value, expected])
    expect([value, await table.refusal('POST', 'Things', { Id: 999, V: value })]).toEqual([value, expected])
  }
  expect(await table.bytes(bytes)).toEqual(after)
  const [first] = shown
  const filter =
    row.filter ?? (typeof first === 'string' ? `V eq '${first.replaceAll("'", "''")}'` : undefined)
  if (filter !== undefined) expect(await table.ids(`$filter=${filter}&$orderby=Id`)).toEqual([1, 100])
  expect(await table.ids('$filter=V eq null')).toEqual([])
  expect(await table.values('$orderby=V')).toHaveLength(2 * shown.length)
  expect(table.errors).toEqual([])
}
