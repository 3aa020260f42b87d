import type {
  EntityTypeDefinition,
  ModelDefinition,
  AnnotatedDefinition,
  PropertyDefinition,
} from '../../../edm/model-definition.js'
import type { ChangeKind, DatabaseTable, DatabaseForeignKey } from '../database-schema.js'
import { keyColumnsOf } from '../database-schema.js'
import type { SqlDialect } from '../dialect.js'
import type {
  EntityDraft,
  LinkDraft,
  LinkEndDraft,
  ModelPlaces,
  AssociationDrafts,
  Reference,
} from './draft-associations.js'
import { draftLink, draftReferences } from './draft-associations.js'
import { capital, freeName, identifier, referenceName, isCamelCase, plural, singular } from './names.js'
import type { AnnotationElement } from '../../../edm/annotations.js'
import { sapNamespace } from '../../../edm/annotations.js'
import { primitiveTypes } from '../../../edm/primitive-types/primitive-types.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts, ColumnType } from '../column.js'
import { allowedValues } from '../../../edm/vocabularies/allowed-values.js'
import { required } from '../../../util/required.js'

/** Options of a definition for tables. */
interface DefinitionChoices {
  readonly namespace?: string | undefined
  readonly keys?: Readonly<Record<string, readonly string[]>> | undefined
  readonly onNotice?: ((notice: string) => void) | undefined
}

/** Creates the definition of a model for tables, and the tables of its sets. */
export function definitionOfTables(
  tables: readonly DatabaseTable[],
  dialect: Pick<SqlDialect, 'columnType'>,
  { namespace = 'Database', keys = {}, onNotice = () => undefined }: DefinitionChoices,
): { readonly definition: ModelDefinition; readonly places: ModelPlaces } {
  const linkTables = new Set(tables.filter((table) => isLinkTable(table, tables)))
  const chosen = tables.flatMap((table): ChosenTable[] => {
    if (linkTables.has(table)) return []
    const { rowId } = table
    const given = Object.hasOwn(keys, table.name) ? keys[table.name] : keyColumnsOf(table)
    const key = given ?? (rowId === undefined || table.isVirtual === true ? undefined : [rowId.name])
    if (key !== undefined) return [{ table: withRowId(table, key), key }]
    const what = table.isView ? 'view' : 'table'
    const why =
      table.columns.size === 0
        ? 'its columns cannot be read.'
        : `it has no key. Name its columns: keys: { '${table.name}': [${rowId === undefined ? '...' : `'${rowId.name}'`}] }.`
    onNotice(`Skipped ${what} '${table.name}': ${why}`)
    return []
  })
  const entities = draftEntities(chosen, dialect)
  const drafts: AssociationDrafts = {
    associations: {},
    associationSets: {},
    typeNames: new Set(entities.map(({ typeName }) => typeName)),
    setNames: new Set(entities.map(({ setName }) => setName)),
  }
  draftReferences(
    entities.flatMap((from) => referencesOf(from, entities, onNotice)),
    drafts,
  )
  const links = new Map<string, LinkDraft>()
  for (const table of linkTables) {
    const setName = freeName([capital(identifier(table.name))], drafts.setNames)
    const link = { table, ends: linkEnds(table, entities) } as const
    draftLink(link, setName, drafts)
    links.set(setName, link)
  }
  const places = { entitySets: new Map(entities.map((entity) => [entity.setName, entity])), links }
  return { definition: definition(namespace, entities, drafts), places }
}

function definition(
  namespace: string,
  entities: readonly EntityDraft[],
  { associations, associationSets }: AssociationDrafts,
): ModelDefinition {
  return {
    namespace,
    entityTypes: Object.fromEntries(entities.map((entity) => [entity.typeName, entityType(entity)])),
    ...(Object.keys(associations).length === 0 ? {} : { associations }),
    entityContainer: {
      entitySets: Object.fromEntries(
        entities.map(({ setName, typeName, table }) => [
          setName,
          { entityType: typeName, ...sapAnnotations(refusing(table.refuses)) },
        ]),
      ),
      ...(Object.keys(associationSets).length === 0 ? {} : { associationSets }),
    },
  }
}

const annotationOf: Readonly<Record<ChangeKind, string>> = {
  insert: 'creatable',
  update: 'updatable',
  delete: 'deletable',
}

/** Returns the annotations of statements that a table or a column refuses. */
function refusing(refused: readonly ChangeKind[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(refused.map((kind) => [annotationOf[kind], 'false']))
}

function entityType({
  table,
  key,
  names,
  properties,
  navigationProperties,
}: EntityDraft): EntityTypeDefinition {
  return {
    ...(table.comment === undefined ? {} : { documentation: { summary: table.comment } }),
    key: key.map((column) => names.get(column) ?? column),
    properties,
    ...(Object.keys(navigationProperties).length === 0 ? {} : { navigationProperties }),
  }
}

/** Adds the row id to the columns of a table if it belongs to the key. */
function withRowId(table: DatabaseTable, key: readonly string[]): DatabaseTable {
  const { columns, rowId } = table
  if (rowId === undefined || !key.includes(rowId.name)) return table
  return { ...table, columns: new Map([[rowId.name, rowId.facts], ...columns]) }
}

/** Returns true if a table consists of two foreign keys, which are its primary key. */
function isLinkTable(table: DatabaseTable, tables: readonly DatabaseTable[]): boolean {
  const { foreignKeys, primaryKey, columns } = table
  const [one, other] = foreignKeys
  if (one === undefined || other === undefined || foreignKeys.length > 2) return false
  const linked = [...one.columns, ...other.columns]
  return (
    columns.size === linked.length &&
    primaryKey.length === columns.size &&
    linked.every((column, index) => columns.has(column) && linked.indexOf(column) === index) &&
    [one, other].every((foreignKey) => {
      const target = targetOf(foreignKey, tables)
      return target !== undefined && target !== table && refersTo(foreignKey, keyColumnsOf(target) ?? [])
    })
  )
}

function targetOf(
  { target }: DatabaseForeignKey,
  tables: readonly DatabaseTable[],
): DatabaseTable | undefined {
  return tables.find(({ name, schema }) => name === target.table && schema === target.schema)
}

function refersTo({ targetColumns }: DatabaseForeignKey, key: readonly string[]): boolean {
  return targetColumns.length === key.length && key.every((column) => targetColumns.includes(column))
}

function referencesOf(
  from: EntityDraft,
  entities: readonly EntityDraft[],
  onNotice: (notice: string) => void,
): Reference[] {
  return from.table.foreignKeys.flatMap((foreignKey) => {
    const { table, schema } = foreignKey.target
    const to = entities.find((one) => one.table.name === table && one.table.schema === schema)
    if (to !== undefined && refersTo(foreignKey, to.key)) return [{ from, to, foreignKey }]
    const why = to === undefined ? 'is not part of the model' : 'is referenced by columns other than its key'
    const columns = foreignKey.columns.map((column) => `'${column}'`).join(', ')
    onNotice(`Skipped foreign key ${columns} of '${from.table.name}': '${table}' ${why}.`)
    return []
  })
}

function linkEnds(
  { foreignKeys }: DatabaseTable,
  entities: readonly EntityDraft[],
): readonly [LinkEndDraft, LinkEndDraft] {
  const taken = new Set<string>()
  const [one, other] = foreignKeys.map((foreignKey): LinkEndDraft => {
    const { columns, targetColumns, target } = foreignKey
    const entity = entities.find(({ table }) => table.name === target.table && table.schema === target.schema)
    if (entity === undefined) throw new TypeError(`There is no entity set of the table '${target.table}'.`)
    const name = columns.length === 1 ? referenceName(required(columns[0])) : entity.typeName
    const role = freeName([name, entity.typeName], taken)
    taken.add(role)
    return {
      role,
      entity,
      columns: entity.key.map((column) => required(columns[targetColumns.indexOf(column)])),
    }
  })
  if (one === undefined || other === undefined) throw new TypeError('A link table has two foreign keys.')
  return [one, other]
}

/** A table that becomes an entity set. */
interface ChosenTable {
  readonly table: DatabaseTable
  readonly key: readonly string[]
}

/** Drafts entity sets with unique names. */
function draftEntities(
  chosen: readonly ChosenTable[],
  dialect: Pick<SqlDialect, 'columnType'>,
): EntityDraft[] {
  const setNames = new Set<string>()
  const typeNames = new Set<string>()
  return chosen.map(({ table, key }) => {
    const name = capital(identifier(table.name))
    const schema = table.schema === undefined ? '' : capital(identifier(table.schema))
    const set = plural(name)
    const setName = freeName([set, name, `${schema}${set}`], setNames)
    const typeName = freeName([singular(name), `${schema}${singular(name)}`], typeNames)
    setNames.add(setName)
    typeNames.add(typeName)
    return draftEntity({ table, key }, { setName, typeName }, dialect)
  })
}

function draftEntity(
  { table, key }: ChosenTable,
  { setName, typeName }: { readonly setName: string; readonly typeName: string },
  dialect: Pick<SqlDialect, 'columnType'>,
): EntityDraft {
  const names = new Map<string, string>()
  const properties: Record<string, PropertyDefinition> = {}
  const taken = new Set<string>()
  const isCamelCased = [...table.columns.keys()].some(isCamelCase)
  const identifying = new Set([...key, ...table.foreignKeys.flatMap(({ columns }) => columns)])
  for (const [column, facts] of table.columns) {
    const name = freeName([identifier(column, isCamelCased)], taken)
    taken.add(name)
    names.set(column, name)
    const columnType = dialect.columnType(facts, identifying.has(column))
    properties[name] = propertyOf(facts, columnType, key.includes(column))
  }
  return { table, setName, typeName, key, names, properties, navigationProperties: {}, taken }
}

function propertyOf(
  facts: ColumnFacts,
  { isDay, ...facets }: ColumnType,
  isKey: boolean,
): PropertyDefinition {
  const { comment } = facts
  return {
    ...facets,
    ...(facts.nullable && !isKey ? {} : { nullable: false }),
    ...madeByDatabase(facts, facets.type),
    ...(comment === undefined ? {} : { documentation: { summary: comment } }),
    ...sapAnnotations(
      { ...(isDay === true ? { 'display-format': 'Date' } : {}), ...refusing(facts.refuses) },
      facts.members === undefined || facts.dataType === 'set' || facets.type !== 'Edm.String'
        ? []
        : [allowedValues(facts.members)],
    ),
  }
}

/** Returns the default of the database for a property that a client omits. */
function madeByDatabase(facts: ColumnFacts, type: PrimitiveTypeName): Partial<PropertyDefinition> {
  const { isGenerated, isIdentity, defaultText } = facts
  if (isIdentity) return { storeGeneratedPattern: 'Identity' }
  if (isGenerated) return { storeGeneratedPattern: 'Computed' }
  if (defaultText === undefined) return {}
  const value = constantOf(defaultText)
  const isConstant = value !== undefined && isValue(type, value)
  return isConstant ? { defaultValue: textOf(type, value) } : { computedDefaultValue: true }
}

/** Formats numbers of a Boolean as `true` and `false`, which all clients understand. */
function textOf(type: PrimitiveTypeName, value: string): string {
  return type === 'Edm.Boolean' ? String(primitiveTypes[type].parse(value)) : value
}

/** Parses a literal; undefined for an expression. */
function constantOf(text: string): string | undefined {
  const bare = text.replace(/::[\w\s"().[\]]+$/, '').trim()
  if (/^b'[01]'$/.test(bare)) return bare.slice(2, -1)
  if (/^'(?:[^']|'')*'$/.test(bare)) return bare.slice(1, -1).replaceAll("''", "'")
  return /^[-+]?\d+(?:\.\d+)?$|^(?:true|false)$/i.test(bare) ? bare.toLowerCase() : undefined
}

function isValue(type: PrimitiveTypeName, text: string): boolean {
  if (type === 'Edm.Binary') return false
  try {
    return primitiveTypes[type].parse(text) !== undefined
  } catch {
    return false
  }
}

/** Creates SAP annotations: `sap:creatable="false"`. */
function sapAnnotations(
  values: Readonly<Record<string, string>>,
  elements: readonly AnnotationElement[] = [],
): AnnotatedDefinition {
  const attributes = Object.entries(values).map(([name, value]) => ({
    namespace: sapNamespace,
    prefix: 'sap',
    name,
    value,
  }))
  return attributes.length + elements.length === 0
    ? {}
    : { annotations: { attributes, ...(elements.length === 0 ? {} : { elements }) } }
}
