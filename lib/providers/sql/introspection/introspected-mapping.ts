import type { EdmModel } from '../../../edm/edm-model.js'
import type { DatabaseSchema, DatabaseTable } from '../database-schema.js'
import { findName, findSetTable, findTable } from '../database-schema.js'
import { linkColumnsOf } from '../table-catalog.js'
import type { EntitySetMapping, LinkTableMapping, SqlMapping } from '../sql-mapping.js'
import type { EntityDraft, LinkDraft, ModelPlaces } from './draft-associations.js'
import { required } from '../../../util/required.js'

/** A model of {@link introspect}. */
export interface IntrospectedModel extends EdmModel {
  /** The names of the database that do not follow from the names of the model. */
  readonly sqlMapping: SqlMapping
}

/**
 * Returns the names of the database that do not follow from the names of a model, for example tables of other schemas.
 * `sqlProvider` reads them from a model of {@link introspect}. A model that was printed, or sent as metadata and read
 * again, needs them as the option `mapping`.
 *
 * @param model the result of `introspect`
 * @returns a mapping, which usually is empty because all names follow from the model
 * @example
 * const model = await introspect(db, { schemas: ['sales'] })
 * await writeFile('mapping.json', JSON.stringify(mappingOf(model)))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function mappingOf(model: EdmModel): SqlMapping {
  return (model as Partial<IntrospectedModel>).sqlMapping ?? {}
}

/** Returns the mapping of the names that do not follow from the model. */
export function mappingWhereNeeded(model: EdmModel, schema: DatabaseSchema, places: ModelPlaces): SqlMapping {
  const sets: Record<string, EntitySetMapping> = {}
  for (const set of model.defaultContainer.entitySets) {
    const entity = places.entitySets.get(set.name)
    if (entity === undefined) continue
    const mapping = mappingOfTable(findSetTable(schema, set), entity.table, columnsMapping(entity))
    if (mapping !== undefined) sets[set.name] = mapping
  }
  const links: Record<string, LinkTableMapping> = {}
  for (const [name, link] of places.links) {
    const mapping = mappingOfTable(findTable(schema, name), link.table, linkMapping(link))
    if (mapping !== undefined) links[name] = mapping
  }
  return {
    ...(Object.keys(sets).length === 0 ? {} : { entitySets: sets }),
    ...(Object.keys(links).length === 0 ? {} : { associationSets: links }),
  }
}

function columnsMapping({ table, names }: EntityDraft): Readonly<Record<string, string>> | undefined {
  const columns = [...table.columns.keys()]
  const unlike = [...names].filter(([column, name]) => findName(columns, name) !== column)
  return unlike.length === 0 ? undefined : Object.fromEntries(unlike.map(([column, name]) => [name, column]))
}

function linkMapping({ table, ends }: LinkDraft): LinkTableMapping['columns'] {
  const described = ends.map(({ role, entity, columns }) => ({
    role,
    table: entity.table,
    key: entity.key.map((column) => ({ property: entity.names.get(column) ?? column, column })),
    columns,
  }))
  const isFound = described.every((end) => {
    const found = linkColumnsOf(table, described, end)
    return end.columns.every((column, index) => found[index] === column)
  })
  if (isFound) return undefined
  return Object.fromEntries(
    described.map(({ role, key, columns }) => [
      role,
      Object.fromEntries(key.map(({ property }, index) => [property, required(columns[index])])),
    ]),
  )
}

/**
 * @param found the table that the provider finds by the names of the model
 * @returns undefined if the table and its columns are found without a mapping
 */
function mappingOfTable<Columns>(
  found: DatabaseTable | undefined,
  { schema, name }: DatabaseTable,
  columns: Columns | undefined,
): { readonly table?: string; readonly columns?: Columns } | undefined {
  const isFound = found?.name === name && found.schema === schema
  if (isFound && columns === undefined) return undefined
  // Tables of several schemas can have the same name.
  const table = schema === undefined ? name : `${schema}.${name}`
  return { ...(isFound ? {} : { table }), ...(columns === undefined ? {} : { columns }) }
}
