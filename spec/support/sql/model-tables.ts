import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { EdmModel, EntitySet, Property } from '../../../lib/edm/edm-model.js'
import type { PrimitiveTypeName } from '../../../lib/edm/primitive-types/primitive-type-name.js'

/** A database whose tables nobody has described. */
export type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>

export type DatabaseKind = 'sqlite' | 'postgres'

const types: Readonly<Record<DatabaseKind, Readonly<Record<PrimitiveTypeName, string>>>> = {
  sqlite: {
    'Edm.Binary': 'blob',
    'Edm.Boolean': 'boolean',
    'Edm.Byte': 'integer',
    'Edm.SByte': 'integer',
    'Edm.Int16': 'integer',
    'Edm.Int32': 'integer',
    'Edm.Int64': 'integer',
    'Edm.Decimal': 'text',
    'Edm.Double': 'real',
    'Edm.Single': 'real',
    'Edm.String': 'text',
    'Edm.Guid': 'text',
    'Edm.DateTime': 'text',
    'Edm.DateTimeOffset': 'text',
    'Edm.Time': 'text',
  },
  postgres: {
    'Edm.Binary': 'bytea',
    'Edm.Boolean': 'boolean',
    'Edm.Byte': 'smallint',
    'Edm.SByte': 'smallint',
    'Edm.Int16': 'smallint',
    'Edm.Int32': 'integer',
    'Edm.Int64': 'bigint',
    'Edm.Decimal': 'numeric',
    'Edm.Double': 'double precision',
    'Edm.Single': 'real',
    'Edm.String': 'text',
    'Edm.Guid': 'uuid',
    'Edm.DateTime': 'timestamp',
    'Edm.DateTimeOffset': 'timestamptz',
    'Edm.Time': 'time',
  },
}

interface TableColumn {
  readonly name: string
  readonly path: readonly string[]
  readonly property: Property
  readonly required: boolean
}

/** Makes a table for each entity set of a model, and one for each association set without foreign key. */
export async function createTables(db: AnyDatabase, model: EdmModel, kind: DatabaseKind): Promise<void> {
  for (const container of model.entityContainers) {
    for (const set of container.entitySets) await sql.raw(createTable(set, kind)).execute(db)
    for (const { name, association, ends } of container.associationSets) {
      if (association.referentialConstraint !== undefined) continue
      const columns = ends.flatMap(({ role, entitySet }) =>
        entitySet.entityType.key.map((key) => ({ name: `${role}_${key.name}`, key })),
      )
      const definitions = columns.map(({ name: column, key }) => `"${column}" ${typeOf(key, kind)} not null`)
      const names = columns.map(({ name: column }) => `"${column}"`).join(', ')
      await sql.raw(`create table "${name}" (${definitions.join(', ')}, primary key (${names}))`).execute(db)
    }
  }
}

/** Puts rows into the table of a set. */
export async function fillTable(
  db: AnyDatabase,
  set: EntitySet,
  rows: readonly Readonly<Record<string, unknown>>[],
  kind: DatabaseKind,
): Promise<void> {
  for (const row of rows) {
    const values: Record<string, unknown> = {}
    for (const { name, path, property } of columnsOf(set)) {
      const value = path.reduce<unknown>(
        (owner, one) => (owner as Record<string, unknown> | undefined)?.[one],
        row,
      )
      values[name] = databaseValue(value, property, kind)
    }
    if (set.entityType.derivedTypes.length > 0) values.Discriminator = typeNameOf(row, set)
    const media = row.$media as { readonly bytes: Uint8Array; readonly contentType: string } | undefined
    if (media !== undefined) {
      values.MediaContent = Buffer.from(media.bytes)
      values.MediaContentType = media.contentType
    }
    await db.insertInto(set.name).values(values).execute()
  }
}

/** What a driver takes for a value of the model. */
export function databaseValue(value: unknown, { type }: Property, kind: DatabaseKind): unknown {
  if (value === null || value === undefined) return null
  if (value instanceof Date) {
    return type === 'Edm.DateTime' ? value.toISOString().slice(0, -1) : value.toISOString()
  }
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (kind === 'postgres') return typeof value === 'bigint' ? String(value) : value
  if (typeof value === 'boolean') return value ? 1 : 0
  return type === 'Edm.Guid' ? (value as string).toLowerCase() : value
}

function createTable(set: EntitySet, kind: DatabaseKind): string {
  const columns = columnsOf(set).map(
    ({ name, property, required }) => `"${name}" ${typeOf(property, kind)}${required ? ' not null' : ''}`,
  )
  if (set.entityType.derivedTypes.length > 0) columns.push('"Discriminator" text not null')
  if ([set.entityType, ...set.entityType.derivedTypes].some(({ hasStream }) => hasStream)) {
    columns.push(`"MediaContent" ${types[kind]['Edm.Binary']}`, '"MediaContentType" text')
  }
  const key = set.entityType.key.map(({ name }) => `"${name}"`).join(', ')
  return `create table "${set.name}" (${columns.join(', ')}, primary key (${key}))`
}

function columnsOf({ entityType }: EntitySet): TableColumn[] {
  const properties = [
    ...entityType.properties,
    ...entityType.derivedTypes.flatMap(({ declaredProperties }) => declaredProperties),
  ]
  const flat = (property: Property, owner: readonly string[]): TableColumn[] => {
    const path = [...owner, property.name]
    if (typeof property.type !== 'string') return property.type.properties.flatMap((one) => flat(one, path))
    const required = owner.length === 0 && !property.nullable && entityType.properties.includes(property)
    return [{ name: path.join('_'), path, property, required }]
  }
  return properties.flatMap((property) => flat(property, []))
}

function typeOf({ type }: Property, kind: DatabaseKind): string {
  return typeof type === 'string' ? types[kind][type] : ''
}

function typeNameOf(row: Readonly<Record<string, unknown>>, { entityType }: EntitySet): string {
  const name = (row.$type as string | undefined) ?? entityType.qualifiedName
  return name.slice(name.lastIndexOf('.') + 1)
}
