import express from 'express'
import { sql } from 'kysely'
import type { EdmModel, EntitySet } from '../../../../lib/edm/edm-model.js'
import { nameOfType } from '../../../../lib/edm/edm-model.js'
import { odataV2 } from '../../../../lib/odata-v2.js'
import { openDatabase } from '../../../../lib/sql.js'
import { TestServer } from '../../http-exchange.js'
import type { AnyDatabase, DatabaseKind } from '../model-tables.js'
import { uriLiteral } from '../uri-literal.js'

const ATOM = 'application/atom+xml'
const JSON_TYPE = 'application/json'

type Entity = Readonly<Record<string, unknown>> & { readonly __metadata: { readonly uri: string } }

/** A service on a database, which is opened without a model. */
class SchemaService {
  readonly errors: unknown[] = []

  private constructor(
    readonly model: EdmModel,
    private readonly start: (errors: unknown[]) => Promise<TestServer>,
  ) {}

  private server: TestServer | undefined

  static async open(
    db: AnyDatabase,
    keys: Readonly<Record<string, readonly string[]>>,
  ): Promise<SchemaService> {
    const { model, provider } = await openDatabase(db, { keys })
    const service = new SchemaService(model, (errors) =>
      TestServer.start(
        express().use(
          '/s',
          odataV2(model, provider, { pageSize: 2, onError: ({ cause }) => errors.push(cause) }),
        ),
      ),
    )
    service.server = await service.start(service.errors)
    return service
  }

  async send(method: string, path: string, accept: string, json?: unknown): Promise<string> {
    if (this.server === undefined) throw new Error('The service does not run.')
    const target = path.startsWith('http') ? path.replace(/^http:\/\/[^/]+/, '') : `/s/${path}`
    const { status, text } = await this.server.send(target, {
      method,
      headers: { Accept: accept, 'Content-Type': JSON_TYPE },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    if (status >= 400) throw new Error(`${method} ${path}: ${String(status)} ${text} ${this.errors.join()}`)
    return text
  }

  /** The entities of all pages. */
  async all(path: string): Promise<Entity[]> {
    const entities: Entity[] = []
    for (let next: string | undefined = path; next !== undefined;) {
      const { d } = JSON.parse(await this.send('GET', next, JSON_TYPE)) as {
        d: { results: Entity[]; __next?: string }
      }
      expect(d.results.length).toBeLessThanOrEqual(2)
      entities.push(...d.results)
      next = d.__next
    }
    return entities
  }

  /** The number of Atom entries of all pages. */
  async countEntries(path: string): Promise<number> {
    let count = 0
    for (let next: string | undefined = path; next !== undefined;) {
      const text: string = await this.send('GET', next, ATOM)
      count += text.split('<entry>').length - 1
      next = /<link rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    return count
  }

  async stop(): Promise<void> {
    await this.server?.stop()
  }
}

/** Returns the rows of all tables. */
async function dump(db: AnyDatabase, kind: DatabaseKind, tables: readonly string[]): Promise<unknown> {
  const rows: unknown[] = []
  for (const table of tables) {
    const quoted = kind === 'mysql' ? `\`${table}\`` : `"${table}"`
    const result = await sql.raw(`select * from ${quoted} order by 1, 2`).execute(db)
    rows.push([table, result.rows])
  }
  return rows
}

const uris = (entities: readonly Entity[]): string[] =>
  entities.map(({ __metadata }) => __metadata.uri).sort()

/**
 * Opens a database without a model, and reads, pages, filters, sorts, expands and writes back every entity.
 *
 * @param keys of views
 * @param tables whose rows must not change
 * @returns the number of entities of each entity set
 */
export async function checkSchema(
  db: AnyDatabase,
  kind: DatabaseKind,
  keys: Readonly<Record<string, readonly string[]>>,
  tables: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const service = await SchemaService.open(db, keys)
  const before = await dump(db, kind, tables)
  const counts: Record<string, number> = {}
  try {
    for (const set of service.model.defaultContainer.entitySets) {
      const entities = await service.all(set.name)
      counts[set.name] = entities.length
      expect([set.name, await service.countEntries(set.name)]).toEqual([set.name, entities.length])
      expect(await service.send('GET', `${set.name}/$count`, 'text/plain')).toBe(String(entities.length))
      expect(new Set(uris(entities)).size).toBe(entities.length)
      await checkColumns(service, set, entities)
      await checkExpansions(service, set, entities)
      await checkWrites(service, set, entities)
    }
    expect(service.errors).toEqual([])
    expect(await dump(db, kind, tables)).toEqual(before)
  } finally {
    await service.stop()
  }
  return counts
}

async function checkColumns(
  service: SchemaService,
  set: EntitySet,
  entities: readonly Entity[],
): Promise<void> {
  for (const { name, type } of set.entityType.properties) {
    for (const value of new Set(entities.map((entity) => entity[name]))) {
      const filter = `${name} eq ${value === null ? 'null' : uriLiteral(nameOfType(type), value)}`
      const found = await service.all(`${set.name}?$filter=${encodeURIComponent(filter)}`)
      const expected = entities.filter((entity) => entity[name] === value)
      expect([filter, uris(found)]).toEqual([filter, uris(expected)])
    }
    for (const direction of ['asc', 'desc']) {
      const sorted = await service.all(`${set.name}?$orderby=${encodeURIComponent(`${name} ${direction}`)}`)
      expect([name, uris(sorted)]).toEqual([name, uris(entities)])
    }
  }
}

/** Expands each navigation property, and follows it from each entity. */
async function checkExpansions(
  service: SchemaService,
  set: EntitySet,
  entities: readonly Entity[],
): Promise<void> {
  for (const { name, toEnd } of set.entityType.navigationProperties) {
    const expanded = await service.all(`${set.name}?$expand=${name}`)
    expect(uris(expanded)).toEqual(uris(entities))
    expect(await service.countEntries(`${set.name}?$expand=${name}`)).toBeGreaterThanOrEqual(entities.length)
    for (const entity of expanded) {
      const related = entity[name] as Entity | { readonly results: readonly Entity[] } | null
      if (toEnd.multiplicity === '*') {
        const followed = await service.all(`${entity.__metadata.uri}/${name}`)
        const shown = (related as { readonly results: readonly Entity[] }).results
        expect([name, uris(followed)]).toEqual([name, expect.arrayContaining(uris(shown))])
      } else if (related !== null) {
        const text = await service.send('GET', `${entity.__metadata.uri}/${name}`, JSON_TYPE)
        const { d } = JSON.parse(text) as { d: Entity }
        expect(d.__metadata.uri).toBe((related as Entity).__metadata.uri)
      }
    }
  }
}

/** Sends each entity back as it was read. */
async function checkWrites(
  service: SchemaService,
  set: EntitySet,
  entities: readonly Entity[],
): Promise<void> {
  const isUpdatable = !set.annotations.attributes.some(
    ({ name, value }) => name === 'updatable' && value === 'false',
  )
  if (!isUpdatable) return
  for (const entity of entities) {
    const simple = Object.fromEntries(
      Object.entries(entity).filter(([name]) => set.entityType.property(name)),
    )
    await service.send('MERGE', entity.__metadata.uri, JSON_TYPE, simple)
  }
}
