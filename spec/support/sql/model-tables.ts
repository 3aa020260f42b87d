import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { EdmModel, EntitySet, Property } from '../../../lib/edm/edm-model.js'
import { nameOfType } from '../../../lib/edm/edm-model.js'
import type { DatabaseKind, FilledKind } from './column-types.js'
import { columnTypes, quoted } from './column-types.js'

export type { DatabaseKind, FilledKind }

/** A database with unknown tables. */
export type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>

interface TableColumn {
  readonly name: string
  readonly path: readonly string[]
  readonly property: Property
  readonly required: boolean
}

export interface TableOptions {
  /** If true, foreign keys are constraints of the database. Default: false. */
  readonly foreignKeys?: boolean
  /** If true, the database generates numbers for keys of one property. SQLite always does. */
  readonly generatedKeys?: boolean
}

/** Makes a table for each entity set of a model, and one for each association set without foreign key. */
export async function createTables(
  db: AnyDatabase,
  model: EdmModel,
  kind: FilledKind,
  { foreignKeys = false, generatedKeys = false }: TableOptions = {},
): Promise<void> {
  const later: string[] = []
  const types: TypesOf = { kind, keyCollation: kind === 'mysql' ? await ordinalCollation(db) : '' }
  for (const container of model.entityContainers) {
    for (const set of container.entitySets) {
      const references = foreignKeys ? referencesOf(set, model, kind) : []
      // SQLite takes them with their table only, and may not know yet what they refer to.
      const isInline = kind === 'sqlite'
      await sql.raw(createTable(set, types, isInline ? references : [], generatedKeys)).execute(db)
      if (isInline) continue
      later.push(...references.map((one) => `alter table ${quoted(set.name, kind)} add ${one}`))
    }
    for (const statement of later.splice(0)) await sql.raw(statement).execute(db)
    for (const { name, association, ends } of container.associationSets) {
      if (association.referentialConstraint !== undefined) continue
      const columns = ends.flatMap(({ role, entitySet }) =>
        entitySet.entityType.key.map((key) => ({ name: `${role}_${key.name}`, key })),
      )
      const definitions = columns.map(
        ({ name: column, key }) => `${quoted(column, kind)} ${typeOf(key, types)} not null`,
      )
      const names = columns.map(({ name: column }) => quoted(column, kind)).join(', ')
      await sql
        .raw(`create table ${quoted(name, kind)} (${definitions.join(', ')}, primary key (${names}))`)
        .execute(db)
    }
  }
}

/** Puts rows into the table of a set. */
export async function fillTable(
  db: AnyDatabase,
  set: EntitySet,
  rows: readonly Readonly<Record<string, unknown>>[],
  kind: FilledKind,
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

/** Converts a value of the model to the form that the driver accepts. */
export function databaseValue(value: unknown, { type }: Property, kind: FilledKind): unknown {
  if (value === null || value === undefined) return null
  if (value instanceof Date) {
    if (kind === 'mysql') return value.toISOString().slice(0, -1)
    return type === 'Edm.DateTime' ? value.toISOString().slice(0, -1) : value.toISOString()
  }
  if (value instanceof Uint8Array) return Buffer.from(value)
  // The driver would leave out the sign of the negative zero.
  if (kind === 'postgres' || kind === 'duckdb')
    return Object.is(value, -0) ? '-0' : typeof value === 'bigint' ? String(value) : value
  if (kind === 'mysql' && type === 'Edm.DateTimeOffset')
    return new Date(value as string).toISOString().slice(0, -1)
  if (typeof value === 'boolean') return value ? 1 : 0
  return type === 'Edm.Guid' ? (value as string).toLowerCase() : value
}

/** The foreign keys of the table of a set, as the model has them; what becomes of dependents the library knows. */
function referencesOf(set: EntitySet, model: EdmModel, kind: FilledKind): string[] {
  const list = (properties: readonly Property[]): string =>
    properties.map(({ name }) => quoted(name, kind)).join(', ')
  return model.entityContainers.flatMap(({ associationSets }) =>
    associationSets.flatMap(({ association, ends }) => {
      const constraint = association.referentialConstraint
      const setAt = (role?: string) => ends.find((end) => end.role === role)?.entitySet
      const principal = setAt(constraint?.principal.role)
      if (constraint === undefined || principal === undefined) return []
      if (setAt(constraint.dependent.role) !== set) return []
      const target = `${quoted(principal.name, kind)} (${list(constraint.principalProperties)})`
      return [`foreign key (${list(constraint.dependentProperties)}) references ${target}`]
    }),
  )
}

function createTable(
  set: EntitySet,
  types: TypesOf,
  references: readonly string[],
  generatedKeys: boolean,
): string {
  const { kind } = types
  const [first, second] = set.entityType.key
  const generated = generatedKeys && kind === 'postgres' && second === undefined ? first : undefined
  const columns = columnsOf(set).map(({ name, property, required }) => {
    const isMade = property === generated && /^Edm\.Int/.test(nameOfType(property.type))
    const made = isMade ? ' generated by default as identity' : ''
    return `${quoted(name, kind)} ${typeOf(property, types)}${required ? ' not null' : ''}${made}`
  })
  if (set.entityType.derivedTypes.length > 0) columns.push(`${quoted('Discriminator', kind)} text not null`)
  if ([set.entityType, ...set.entityType.derivedTypes].some(({ hasStream }) => hasStream)) {
    columns.push(
      `${quoted('MediaContent', kind)} ${columnTypes[kind]['Edm.Binary']}`,
      `${quoted('MediaContentType', kind)} text`,
    )
  }
  const key = set.entityType.key.map(({ name }) => quoted(name, kind)).join(', ')
  return `create table ${quoted(set.name, kind)} (${[...columns, `primary key (${key})`, ...references].join(', ')})`
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

interface TypesOf {
  readonly kind: FilledKind
  /** The collation of keys in MySQL and MariaDB. */
  readonly keyCollation: string
}

/** Returns the collation of the server that compares strings exactly, trailing blanks included. */
async function ordinalCollation(db: AnyDatabase): Promise<string> {
  const { rows } = await sql<{ readonly name: string }>`select collation_name as name
    from information_schema.collations where collation_name in ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin')`.execute(
    db,
  )
  return rows[0]?.name ?? 'utf8mb4_bin'
}

/** Returns true for MariaDB, and false for MySQL. */
export async function isMariaDb(db: AnyDatabase): Promise<boolean> {
  const { rows } = await sql<{ readonly version: string }>`select version() as version`.execute(db)
  return rows[0]?.version.includes('MariaDB') === true
}

function typeOf(property: Property, { kind, keyCollation }: TypesOf): string {
  const { type } = property
  if (typeof type !== 'string') return ''
  return (kind === 'mysql' ? mysqlType(property, keyCollation) : undefined) ?? columnTypes[kind][type]
}

/** Returns a type with a length: MySQL requires one for keys. */
function mysqlType(
  { type, isKey, maxLength, precision, scale }: Property,
  keyCollation: string,
): string | undefined {
  if (type === 'Edm.Decimal' && precision !== undefined) return `decimal(${precision}, ${scale ?? 0})`
  if (type !== 'Edm.String') return undefined
  // Two keys that differ in upper and lower case are two keys.
  if (isKey) return `varchar(200) character set utf8mb4 collate ${keyCollation}`
  return maxLength === undefined ? 'longtext character set utf8mb4' : undefined
}

function typeNameOf(row: Readonly<Record<string, unknown>>, { entityType }: EntitySet): string {
  const name = (row.$type as string | undefined) ?? entityType.qualifiedName
  return name.slice(name.lastIndexOf('.') + 1)
}
