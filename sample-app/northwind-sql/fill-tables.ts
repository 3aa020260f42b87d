import type { EntitySet, Property, Row } from 'express-odata-v2'
import type { Transaction } from 'kysely'
import { northwindData } from '../northwind/northwind-service.js'
import type { DatabaseKind, TableColumn } from './tables.js'
import { columnsOf, hasMedia, isDerivable, links, sets } from './tables.js'

/** A database without types of its tables. */
export type AnyTables = Record<string, Record<string, unknown>>

/** Maximum number of rows in an insert statement, because databases limit the number of parameters. */
const MAX_INSERTED_ROWS = 50

/** Inserts the rows of the catalogue into its tables. */
export async function fillTables(db: Transaction<AnyTables>, kind: DatabaseKind): Promise<void> {
  for (const set of sets) {
    await insert(
      db,
      set.name,
      rowsOf(set).map((row) => databaseRow(set, row, kind)),
    )
  }
  for (const { name, association, ends } of links) {
    // Only employees contain keys of linked entities: those of their territories.
    const pairs = ends.flatMap(({ role, entitySet }) => {
      const navigation = entitySet.entityType.navigationProperties.find(
        (one) => one.association === association,
      )
      const target = navigation?.toEnd.role ?? ''
      return rowsOf(entitySet).flatMap((row) =>
        ((row[navigation?.name ?? ''] ?? []) as readonly Row[]).map((key) => ({
          ...columnsOfKey(role, entitySet, row),
          ...columnsOfKey(target, targetOf(ends, target), key),
        })),
      )
    })
    await insert(db, name, pairs)
  }
}

function rowsOf(set: EntitySet): readonly Row[] {
  const data: Readonly<Record<string, readonly Row[]>> = northwindData
  return data[set.name] ?? []
}

async function insert(db: Transaction<AnyTables>, table: string, rows: readonly Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += MAX_INSERTED_ROWS) {
    await db
      .insertInto(table)
      .values(rows.slice(from, from + MAX_INSERTED_ROWS))
      .execute()
  }
}

function targetOf(ends: (typeof links)[number]['ends'], role: string): EntitySet {
  return ends[0].role === role ? ends[0].entitySet : ends[1].entitySet
}

function columnsOfKey(role: string, { entityType }: EntitySet, row: Row): Row {
  return Object.fromEntries(entityType.key.map(({ name }) => [`${role}_${name}`, row[name]]))
}

function databaseRow(set: EntitySet, row: Row, kind: DatabaseKind): Row {
  const members = columnsOf(set).map(({ name, path, property }: TableColumn) => {
    const value = path.reduce<unknown>((owner, one) => (owner as Row | null | undefined)?.[one], row)
    return [name, toDatabaseValue(value, property, kind)] as const
  })
  const media = row.$media as { readonly bytes: Uint8Array; readonly contentType: string } | undefined
  const typeName = (row.$type as string | undefined) ?? set.entityType.qualifiedName
  return {
    ...Object.fromEntries(members),
    ...(isDerivable(set) ? { Discriminator: typeName.slice(typeName.lastIndexOf('.') + 1) } : {}),
    ...(hasMedia(set) && media !== undefined
      ? { MediaContent: Buffer.from(media.bytes), MediaContentType: media.contentType }
      : {}),
  }
}

/** Converts a value of the model to a parameter of the database driver. */
function toDatabaseValue(value: unknown, { type }: Property, kind: DatabaseKind): unknown {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (value instanceof Date)
    return type === 'Edm.DateTime' ? value.toISOString().slice(0, -1) : value.toISOString()
  if (kind === 'sqlite') {
    if (typeof value === 'boolean') return value ? 1 : 0
    return type === 'Edm.DateTimeOffset' ? inUtc(value as string) : value
  }
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') return value
  // PostgreSQL stores six fraction digits of a second, and rejects U+0000.
  const isTime = type === 'Edm.DateTime' || type === 'Edm.DateTimeOffset' || type === 'Edm.Time'
  return isTime ? value.replace(/(\.\d{6})\d+/, '$1') : value.replaceAll('\0', '')
}

/** Converts a time with an offset to UTC, with all its fraction digits. */
function inUtc(text: string): string {
  const fraction = /\.\d+/.exec(text)?.[0] ?? ''
  return `${new Date(text.replace(fraction, '')).toISOString().slice(0, 19)}${fraction}Z`
}
