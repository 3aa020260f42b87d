import type { EntityTypeDefinition, ModelDefinition } from '../../../edm/model-definition.js'
import type { DatabaseTable, ForeignKey } from '../database-schema.js'
import type { SqlDialect } from '../dialect.js'
import type { EntityDraft, LinkDraft, LinkEndDraft, ModelPlaces } from './draft.js'
import type { AssociationDrafts, Reference } from './draft-associations.js'
import { draftLink, draftReferences } from './draft-associations.js'
import type { ChosenTable } from './draft-entities.js'
import { draftEntities, sapAnnotations } from './draft-entities.js'
import { capital, freeName, identifier, referenceName } from './names.js'

/** What decides how tables become a definition. */
export interface DefinitionChoices {
  readonly namespace?: string | undefined
  readonly keys?: Readonly<Record<string, readonly string[]>> | undefined
  readonly onNotice?: ((notice: string) => void) | undefined
}

/** The definition of a model of some tables, and where everything in it has come from. */
export function definitionOfTables(
  tables: readonly DatabaseTable[],
  dialect: SqlDialect['name'],
  { namespace = 'Database', keys = {}, onNotice = () => undefined }: DefinitionChoices,
): { readonly definition: ModelDefinition; readonly places: ModelPlaces } {
  const linkTables = new Set(tables.filter((table) => isLinkTable(table, tables)))
  const chosen = tables.flatMap((table): ChosenTable[] => {
    if (linkTables.has(table)) return []
    const key = Object.hasOwn(keys, table.name) ? keys[table.name] : keyOf(table)
    if (key !== undefined) return [{ table, key }]
    const what = table.isView ? 'view' : 'table'
    onNotice(
      `The ${what} '${table.name}' is left out: it has no key. Name its columns: keys: { '${table.name}': [...] }.`,
    )
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
          { entityType: typeName, ...(table.isWritable ? {} : readOnly) },
        ]),
      ),
      ...(Object.keys(associationSets).length === 0 ? {} : { associationSets }),
    },
  }
}

const readOnly = sapAnnotations({ creatable: 'false', updatable: 'false', deletable: 'false' })

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

/** The primary key, or else other columns that together are never null nor the same in two rows. */
function keyOf({ primaryKey, uniqueKeys, columns }: DatabaseTable): readonly string[] | undefined {
  if (primaryKey.length > 0) return primaryKey
  return uniqueKeys.find((key) => key.every((column) => columns.get(column)?.nullable === false))
}

/** Whether a table holds nothing but two foreign keys, which together are its key. */
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
      return target !== undefined && target !== table && refersTo(foreignKey, keyOf(target) ?? [])
    })
  )
}

function targetOf({ target }: ForeignKey, tables: readonly DatabaseTable[]): DatabaseTable | undefined {
  return tables.find(({ name, schema }) => name === target.table && schema === target.schema)
}

function refersTo({ targetColumns }: ForeignKey, key: readonly string[]): boolean {
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
    const why = to === undefined ? 'is not part of the model' : 'is referred to by other columns than its key'
    const columns = foreignKey.columns.map((column) => `'${column}'`).join(', ')
    onNotice(`The foreign key ${columns} of '${from.table.name}' is left out: '${table}' ${why}.`)
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
    const name = columns.length === 1 ? referenceName(columns[0] ?? '') : entity.typeName
    const role = freeName([name, entity.typeName], taken)
    taken.add(role)
    return { role, entity, columns: entity.key.map((column) => columns[targetColumns.indexOf(column)] ?? '') }
  })
  if (one === undefined || other === undefined) throw new TypeError('A link table has two foreign keys.')
  return [one, other]
}
