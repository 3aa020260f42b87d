import type { AssociationSet, EntitySet, PrimitiveTypeName, Property } from 'express-odata-v2'
import { northwindModel } from '../northwind/northwind-service.js'

export type DatabaseKind = 'sqlite' | 'postgres'

/** Column types for each simple type. `numeric` also gets the precision and scale of the property. */
const columnTypes: Readonly<Record<DatabaseKind, Readonly<Record<PrimitiveTypeName, string>>>> = {
  sqlite: {
    'Edm.Binary': 'blob',
    'Edm.Boolean': 'boolean',
    'Edm.Byte': 'integer',
    'Edm.SByte': 'integer',
    'Edm.Int16': 'integer',
    'Edm.Int32': 'integer',
    'Edm.Int64': 'integer',
    // SQLite converts decimals to floating-point numbers. Text preserves all digits.
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
    'Edm.String': 'text collate "C"',
    'Edm.Guid': 'uuid',
    'Edm.DateTime': 'timestamp',
    'Edm.DateTimeOffset': 'timestamptz',
    'Edm.Time': 'time',
  },
}

/** A column, and the path of the property that it stores. */
export interface TableColumn {
  readonly name: string
  readonly path: readonly string[]
  readonly property: Property
  readonly isRequired: boolean
}

const { entitySets, associationSets } = northwindModel.defaultContainer

/** The entity sets, sorted so that foreign keys refer to earlier ones. */
export const sets: readonly EntitySet[] = inOrderOfReference(entitySets)

/** Association sets without a foreign key, which need a link table. */
export const links = associationSets.filter(
  ({ association }) => association.referentialConstraint === undefined,
)

/** Returns the statements that create tables and indexes, with the default names of `sqlProvider`. */
export function createStatements(kind: DatabaseKind): string[] {
  return [
    ...sets.map((set) => createTable(set, kind)),
    ...links.map((link) => createLinkTable(link, kind)),
    // Without an index, the database scans a table to follow a navigation property.
    ...sets.flatMap((set) =>
      foreignKeysOf(set).map(
        ({ columns }) =>
          `create index "${set.name}_${columns.join('_')}" on "${set.name}" (${quoted(columns)})`,
      ),
    ),
  ]
}

/** Returns the columns of an entity set, including those of derived types and of members of complex properties. */
export function columnsOf({ entityType }: EntitySet): TableColumn[] {
  const flat = (property: Property, owner: readonly string[], isRequired: boolean): TableColumn[] => {
    const path = [...owner, property.name]
    if (typeof property.type !== 'string') {
      return property.type.properties.flatMap((member) => flat(member, path, false))
    }
    return [{ name: path.join('_'), path, property, isRequired: isRequired && !property.nullable }]
  }
  return [
    ...entityType.properties.flatMap((property) => flat(property, [], true)),
    ...entityType.derivedTypes.flatMap(({ declaredProperties }) =>
      declaredProperties.flatMap((property) => flat(property, [], false)),
    ),
  ]
}

export function isDerivable({ entityType }: EntitySet): boolean {
  return entityType.derivedTypes.length > 0
}

export function hasMedia({ entityType }: EntitySet): boolean {
  return entityType.hasStream
}

function createTable(set: EntitySet, kind: DatabaseKind): string {
  const types = columnTypes[kind]
  const definitions = columnsOf(set).map(
    ({ name, property, isRequired }) => `"${name}" ${typeOf(property, kind)}${isRequired ? ' not null' : ''}`,
  )
  if (isDerivable(set)) definitions.push('"Discriminator" text not null')
  if (hasMedia(set)) definitions.push(`"MediaContent" ${types['Edm.Binary']}`, '"MediaContentType" text')
  definitions.push(`primary key (${quoted(set.entityType.key.map(({ name }) => name))})`)
  for (const { columns, target, targetColumns, action } of foreignKeysOf(set)) {
    // Foreign keys are checked at commit, so that rows can be inserted in any order.
    definitions.push(
      `foreign key (${quoted(columns)}) references "${target}" (${quoted(targetColumns)})${action} deferrable initially deferred`,
    )
  }
  return `create table "${set.name}" (${definitions.join(', ')})`
}

function createLinkTable({ name, ends }: AssociationSet, kind: DatabaseKind): string {
  const columns = ends.flatMap(({ role, entitySet }) =>
    entitySet.entityType.key.map((key) => ({ name: `${role}_${key.name}`, set: entitySet, key })),
  )
  const definitions = columns.map(
    ({ name: column, set, key }) =>
      `"${column}" ${typeOf(key, kind)} not null references "${set.name}" on delete cascade deferrable initially deferred`,
  )
  return `create table "${name}" (${definitions.join(', ')}, primary key (${quoted(columns.map((one) => one.name))}))`
}

function inOrderOfReference(all: readonly EntitySet[]): EntitySet[] {
  const ordered = new Set<EntitySet>()
  const add = (set: EntitySet): void => {
    if (ordered.has(set)) return
    for (const { target } of foreignKeysOf(set)) {
      const other = all.find(({ name }) => name === target)
      if (other !== undefined && other !== set) add(other)
    }
    ordered.add(set)
  }
  for (const set of all) add(set)
  return [...ordered]
}

function foreignKeysOf(set: EntitySet) {
  return associationSets.flatMap(({ association, ends }) => {
    const constraint = association.referentialConstraint
    if (constraint === undefined) return []
    const setOf = (role: string) => ends.find((end) => end.role === role)?.entitySet
    const target = setOf(constraint.principal.role)
    if (target === undefined || setOf(constraint.dependent.role) !== set) return []
    return [
      {
        columns: constraint.dependentProperties.map(({ name }) => name),
        target: target.name,
        targetColumns: constraint.principalProperties.map(({ name }) => name),
        action: constraint.principal.onDelete === 'Cascade' ? ' on delete cascade' : '',
      },
    ]
  })
}

function typeOf({ type, precision, scale }: Property, kind: DatabaseKind): string {
  if (typeof type !== 'string') throw new TypeError('Only simple properties have a column.')
  const name = columnTypes[kind][type]
  const isNumeric = name === 'numeric' && precision !== undefined
  return isNumeric ? `numeric(${String(precision)}, ${String(scale ?? 0)})` : name
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
