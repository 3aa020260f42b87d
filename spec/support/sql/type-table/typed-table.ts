import { sql } from 'kysely'
import express from 'express'
import type { EdmModel } from '../../../../lib/edm/edm-model.js'
import { nameOfType } from '../../../../lib/edm/edm-model.js'
import { odataV2 } from '../../../../lib/odata-v2.js'
import type { Provider } from '../../../../lib/provider/provider.js'
import type { SqlProviderOptions } from '../../../../lib/sql.js'
import { introspect, sqlProvider } from '../../../../lib/sql.js'
import { TestServer } from '../../http-exchange.js'
import type { AnyDatabase } from '../model-tables.js'

const ATOM = 'application/atom+xml'

/** A service on the table `things (id, v)`, whose column `v` has a type. */
export class TypedTable {
  private static readonly started: TypedTable[] = []

  private constructor(
    private readonly db: AnyDatabase,
    readonly model: EdmModel,
    readonly provider: Provider,
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
    const table = new TypedTable(db, model, provider, server, errors, notices)
    TypedTable.started.push(table)
    return table
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

  async rows(query: string, set = 'Things'): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { status, text } = await this.send('GET', `${set}?${encodeURI(query).replaceAll('+', '%2B')}`)
    if (status !== 200) throw new Error(`${String(status)} ${text} ${this.errors.join()}`)
    return (JSON.parse(text) as { d: { results: Readonly<Record<string, unknown>>[] } }).d.results
  }

  /** The Atom entries of all entities, in the order of their keys. */
  async entries(): Promise<readonly string[]> {
    const { status, text } = await this.server.send('/s/Things?$orderby=Id', { headers: { Accept: ATOM } })
    if (status !== 200) throw new Error(`${String(status)} ${text} ${this.errors.join()}`)
    const namespaces = /<feed([^>]*)>/.exec(text)?.[1] ?? ''
    return [...text.matchAll(/<entry>(.*?)<\/entry>/gs)].map(
      ([, content = '']) => `<entry${namespaces}>${content}</entry>`,
    )
  }

  /** The status of a change with an Atom entry. */
  async sendEntry(method: string, path: string, entry: string): Promise<number> {
    const headers = { 'Content-Type': 'application/atom+xml', Accept: ATOM }
    return (await this.server.send(`/s/${path}`, { method, headers, body: entry })).status
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
