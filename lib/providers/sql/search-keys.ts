import type { OperationNode, RawBuilder, RawNode, ValueNode } from 'kysely'
import type { EdmModel } from '../../edm/edm-model.js'
import { entitySetsByPath } from '../../edm/edm-model.js'
import type { EntitySetName } from '../../edm/infer.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { SearchQuery } from '../../query/expression.js'
import { textOfPath } from '../../query/expression.js'
import { isRecord } from '../../util/is-record.js'
import type { Sql } from './sql-text.js'
import { joined, parameter, raw } from './sql-text.js'

/**
 * A full-text index of an entity set.
 *
 * @example
 * import { sql } from 'kysely'
 * const words: SqlSearch = {
 *   properties: ['Name', 'Description'],
 *   keys: ({ terms }) =>
 *     sql`select id from product where to_tsvector('simple', name || ' ' || description) @@ plainto_tsquery('simple', ${terms.join(' ')})`,
 * }
 */
export interface SqlSearch {
  /**
   * The searched properties, such as `Name` or `Category/Name`. The index evaluates searches of exactly these: no others
   * that `search-focus` names, and none for callers from whom one of them is hidden.
   */
  readonly properties: readonly string[]
  /**
   * Returns a subquery for the keys of the entities that match a search, built with the tag `sql` of Kysely; undefined to
   * let the service evaluate the search.
   */
  readonly keys: (search: SearchQuery) => RawBuilder<unknown> | undefined
}

/**
 * The full-text indexes of entity sets, by the name of the set.
 *
 * @example
 * import { sql } from 'kysely'
 * const search: SqlSearches = {
 *   Products: {
 *     properties: ['Name'],
 *     keys: ({ terms }) => sql`select ID from Products where match(Name) against (${terms.join(' ')} in boolean mode)`,
 *   },
 * }
 */
export type SqlSearches<Model = EdmModel> = {
  readonly [Name in EntitySetName<Model>]?: SqlSearch | undefined
}

/** @throws TypeError for sets and properties that do not exist, for other values, and for sets with several key properties */
export function checkSearches(searches: SqlSearches | undefined, model: EdmModel): void {
  const sets = entitySetsByPath(model)
  for (const [name, search] of Object.entries<unknown>(searches ?? {})) {
    const set = sets.get(name)
    if (set === undefined)
      throw new TypeError(
        `sqlProvider: search.${name} is not an entity set.${didYouMean(name, [...sets.keys()])}`,
      )
    if (search === undefined) continue
    if (!isSearch(search))
      throw new TypeError(
        `sqlProvider: search.${name} must be an object such as { properties: ['Name'], keys: ({ terms }) => sql\`select …\` }.`,
      )
    const { entityType } = set
    for (const path of search.properties) {
      const [first = ''] = path.split('/')
      if (entityType.property(first) !== undefined || entityType.navigationProperty(first) !== undefined)
        continue
      const hint = didYouMean(
        first,
        entityType.properties.map((one) => one.name),
      )
      throw new TypeError(`sqlProvider: search.${name}: '${path}' is not a property of '${name}'.${hint}`)
    }
    if (set.entityType.key.length !== 1)
      throw new TypeError(`sqlProvider: search.${name} requires an entity set with one key property.`)
  }
}

function isSearch(given: unknown): given is SqlSearch {
  return (
    isRecord(given) &&
    typeof given.keys === 'function' &&
    Array.isArray(given.properties) &&
    given.properties.every((path) => typeof path === 'string')
  )
}

/** Returns the subquery for the keys of the entities that match a search; undefined if the service searches. */
export function searchKeys(search: SqlSearch, query: SearchQuery): Sql | undefined {
  const searched = new Set(query.properties.map(textOfPath))
  if (searched.size !== search.properties.length) return undefined
  if (!search.properties.every((path) => searched.has(path))) return undefined
  // Databases reject the character NUL, or end the text with it.
  if (query.terms.some((term) => term.includes('\0'))) return undefined
  const keys: Partial<RawBuilder<unknown>> | undefined = search.keys(query)
  if (keys === undefined) return undefined
  if (typeof keys.toOperationNode !== 'function') throw notSql()
  return sqlOf(keys.toOperationNode())
}

/** Converts a raw expression of Kysely, whose values remain parameters. */
function sqlOf(node: OperationNode): Sql {
  if (node.kind === 'ValueNode') return parameter((node as ValueNode).value)
  if (node.kind !== 'RawNode') throw notSql()
  const { sqlFragments, parameters } = node as RawNode
  return joined(
    sqlFragments.flatMap((text, index) => {
      const embedded = parameters[index]
      return embedded === undefined ? [raw(text)] : [raw(text), sqlOf(embedded)]
    }),
    '',
  )
}

function notSql(): TypeError {
  return new TypeError(
    'The option search of sqlProvider must return a template sql`select …` of Kysely from `keys`, which can contain values and other templates.',
  )
}
