import type { EdmModel } from '../../../edm/edm-model.js'
import type { DatabaseSchema, DatabaseTable } from '../database-schema.js'
import { findName, findSetTable, findTable } from '../database-schema.js'
import { linkColumnsOf } from '../linked-tables.js'
import type { EntitySetMapping, LinkTableMapping, SqlMapping } from '../sql-mapping.js'
import type { EntityDraft, LinkDraft, ModelPlaces } from './draft-associations.js'

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
 * @param model what `introspect` has returned
 * @returns a mapping without members when all names follow from the model, which is the rule
 * @example
 * const model = await introspect(db, { schemas: ['sales'] })
 * await writeFile('mapping.json', JSON.stringify(mappingOf(model)))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function mappingOf(model: EdmModel): SqlMapping {
  return (model as Partial<IntrospectedModel>).sqlMapping ?? {}
}

/** The members of a mapping without which another table or column would be found, or none. */
export function mappingWhereNeeded(model: EdmModel, schema: DatabaseSchema, places: ModelPlaces): SqlMapping {
  const sets: Record<string, EntitySetMapping> = {}
  for (const set of model.defaultContainer.entitySets) {
    const entity = places.entitySets.get(set.name)
    if (entity === undefined) continue
    const isFound = isSame(findSetTable(schema, set), entity.table)
    const columns = columnsMapping(entity)
    if (isFound && columns === undefined) continue
    sets[set.name] = {
      ...(isFound ? {} : { table: nameOf(entity.table) }),
      ...(columns === undefined ? {} : { columns }),
    }
  }
  const links: Record<string, LinkTableMapping> = {}
  for (const [name, link] of places.links) {
    const isFound = isSame(findTable(schema, name), link.table)
    const columns = linkMapping(link)
    if (isFound && columns === undefined) continue
    links[name] = {
      ...(isFound ? {} : { table: nameOf(link.table) }),
      ...(columns === undefined ? {} : { columns }),
    }
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
      Object.fromEntries(key.map(({ property }, index) => [property, columns[index] ?? ''])),
    ]),
  )
}

function isSame(found: DatabaseTable | undefined, table: DatabaseTable): boolean {
  return found !== undefined && found.name === table.name && found.schema === table.schema
}

/** With the schema in front where there is one: other tables may have the same name. */
function nameOf({ schema, name }: DatabaseTable): string {
  return schema === undefined ? name : `${schema}.${name}`
}
