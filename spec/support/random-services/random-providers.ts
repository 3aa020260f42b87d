import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { EdmModel, EntitySet, NavigationProperty } from '../../../lib/edm/edm-model.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { PlainRow } from '../../contracts/contract-data.js'
import type { AnyDatabase, DatabaseKind } from '../sql/model-tables.js'
import { databaseValue } from '../sql/model-tables.js'
import { PostgresServer } from '../sql/postgres-server.js'
import { createWriteTables } from '../sql/write-database.js'
import type { RandomData } from './random-data.js'
import { randomFunctions } from './random-data.js'

/** The random data in a store of one kind. */
export interface RandomStore {
  readonly provider: Provider
  close(): Promise<void>
}

const nothing = (): Promise<void> => Promise.resolve()

export const storeKinds = [
  'memory',
  'SQLite',
  'PostgreSQL',
  'a provider that can do nothing but read everything',
] as const
export type StoreKind = (typeof storeKinds)[number]

export async function openStore(kind: StoreKind, model: EdmModel, data: RandomData): Promise<RandomStore> {
  const functions = randomFunctions(model, data.rows)
  if (kind === 'memory') {
    const rows = rowsWithLinks(model, data, 'one') as Record<string, Record<string, unknown>[]>
    return { provider: memoryProvider(model, rows, { functions }), close: nothing }
  }
  if (kind !== 'SQLite' && kind !== 'PostgreSQL') {
    const linked = rowsWithLinks(model, data, 'both')
    const entitySets = Object.entries(linked).map(([set, rows]) => [set, { read: () => rows }])
    const complete = randomFunctions(model, new Map(Object.entries(linked)))
    return {
      provider: { entitySets: Object.fromEntries(entitySets) as never, functions: complete },
      close: nothing,
    }
  }
  const [db, database] = await newDatabase(kind)
  await fillDatabase(db, database, model, data)
  const provider = sqlProvider(model, db, { functions })
  await provider.ready()
  return { provider: provider as unknown as Provider, close: () => db.destroy() }
}

/** Creates tables with the random data in an empty database. */
export async function fillDatabase(
  db: AnyDatabase,
  kind: DatabaseKind,
  model: EdmModel,
  data: RandomData,
): Promise<void> {
  await createWriteTables(db, kind, model, Object.fromEntries(data.rows))
  for (const [name, pairs] of data.links) await fillLinks(db, kind, model, name, pairs, data)
}

async function newDatabase(kind: 'SQLite' | 'PostgreSQL'): Promise<[AnyDatabase, DatabaseKind]> {
  if (kind === 'PostgreSQL') return [await PostgresServer.shared().open(), 'postgres']
  const database = new SQLite(':memory:')
  return [new Kysely({ dialect: new SqliteDialect({ database }) }), 'sqlite']
}

async function fillLinks(
  db: AnyDatabase,
  kind: DatabaseKind,
  model: EdmModel,
  name: string,
  pairs: readonly (readonly [number, number])[],
  { rows }: RandomData,
): Promise<void> {
  const ends = model.defaultContainer.associationSets.find((one) => one.name === name)?.ends ?? []
  for (const [from, to] of pairs) {
    const values: Record<string, unknown> = {}
    for (const { role, entitySet } of ends) {
      const row = rows.get(entitySet.name)?.[role === 'From' ? from : to]
      for (const key of entitySet.entityType.key) {
        values[`${role}_${key.name}`] = databaseValue(row?.[key.name], key, kind)
      }
    }
    await db.insertInto(name).values(values).execute()
  }
}

/** Rows with the keys of what they are linked to, on one side of each association or on both. */
export function rowsWithLinks(
  model: EdmModel,
  data: RandomData,
  sides: 'one' | 'both',
): Record<string, PlainRow[]> {
  const { entitySets, associationSets } = model.defaultContainer
  const complete = (set: EntitySet, row: PlainRow, place: number): PlainRow => {
    const members = set.entityType.navigationProperties.flatMap((navigation): [string, unknown][] => {
      const target = set.targetOf(navigation)
      const isSecond = navigation.fromEnd.role === 'To' && navigation.partner !== undefined
      const links = associationSets.find(
        ({ association, ends }) =>
          association.name === navigation.association.name &&
          ends.some(({ role, entitySet }) => role === navigation.fromEnd.role && entitySet === set),
      )
      const pairs = data.links.get(links?.name ?? '')
      const isJoined = navigation.association.referentialConstraint !== undefined
      if (target === undefined || isJoined || (sides === 'one' && isSecond)) return []
      if (pairs === undefined)
        return sides === 'one' ? [] : [[navigation.name, navigation.isCollection ? [] : null]]
      return [[navigation.name, keysOf(navigation, pairs, place, target, data)]]
    })
    return { ...row, ...Object.fromEntries(members) }
  }
  return Object.fromEntries(
    entitySets.map((set) => [
      set.name,
      (data.rows.get(set.name) ?? []).map((row, place) => complete(set, row, place)),
    ]),
  )
}

function keysOf(
  navigation: NavigationProperty,
  pairs: readonly (readonly [number, number])[],
  place: number,
  target: EntitySet,
  { rows }: RandomData,
): unknown {
  const [near, far] = navigation.fromEnd.role === 'From' ? ([0, 1] as const) : ([1, 0] as const)
  const keys = pairs
    .filter((pair) => pair[near] === place)
    .map((pair) => {
      const row = rows.get(target.name)?.[pair[far]]
      return Object.fromEntries(target.entityType.key.map(({ name }) => [name, row?.[name]]))
    })
  return navigation.isCollection ? keys : (keys[0] ?? null)
}
