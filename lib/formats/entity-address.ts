import type { EntitySet, EntityType } from '../edm/edm-model.js'
import { nearest } from '../errors/suggestions.js'
import type { Row } from '../evaluation/row.js'
import type { RowLayout } from '../evaluation/value-row.js'
import type { CollectionSource, EntitySource, KeyValues } from '../query/request-target.js'
import { percentEncode } from '../uri/percent-encoding.js'
import { literalWriter } from './literal-text.js'
import type { RowValues } from './value-source.js'

/** Writes something that depends on a row alone. */
export type WriteRow = (row: Row) => string

/** Writes something that depends on the cells of a row alone. */
type WriteValues = (values: RowValues) => string

/**
 * Writes the key predicate of rows: `(1)`, `(Order=7,No=2)`.
 *
 * @param layout of `ValueRow`s; undefined for rows that are objects
 * @spec MS-ODATA 2.2.3.1 (keyPredicate)
 */
export function keyPredicateWriter({ key, qualifiedName }: EntityType, layout?: RowLayout): WriteValues {
  const [single, ...others] = key
  const check = (values: RowValues): void => {
    const row = layout === undefined ? (values as Row) : layout.object(values as readonly unknown[])
    for (const { name } of key) {
      if (row[name] === null || row[name] === undefined) {
        throw new TypeError(
          `The provider returned a '${qualifiedName}' without its key '${name}'.${nearHint(name, row)}`,
        )
      }
    }
  }
  if (single !== undefined && others.length === 0) {
    const write = literalWriter(single, layout)
    return (values) => {
      const literal = write(values)
      if (literal === 'null') check(values)
      return `(${literal})`
    }
  }
  const writers = key.map((property) => ({ name: property.name, write: literalWriter(property, layout) }))
  return (values) => {
    check(values)
    return `(${writers.map(({ name, write }) => `${name}=${write(values)}`).join(',')})`
  }
}

/** A column of a database is often called the same in other letters. */
function nearHint(name: string, row: Row): string {
  const near = nearest(name, Object.keys(row))
  return near === undefined || near === name ? '' : ` There is '${near}'.`
}

/** Writes the canonical address of rows, relative to the service root: `Categories(1)`. */
export function entityPathWriter(set: EntitySet, layout?: RowLayout): WriteValues {
  const writeKey = keyPredicateWriter(set.entityType, layout)
  const path = percentEncode(set.path)
  return (values) => path + writeKey(values)
}

/** Writes what a continuation token holds for rows in the order of their key. */
export function keyTokenWriter({ key }: EntityType): WriteRow {
  const writers = key.map((property) => literalWriter(property))
  return (values) => writers.map((write) => write(values)).join(',')
}

/** The address that a request used, relative to the service root, without query. */
export function pathOf(source: CollectionSource | EntitySource): string {
  switch (source.kind) {
    case 'EntitySet':
      return percentEncode(source.set.path)
    case 'RelatedEntities':
    case 'RelatedEntity':
      return `${pathOf(source.source)}/${percentEncode(source.navigation.name)}`
    case 'KeyedEntity':
      return pathOf(source.collection) + keyPredicate(source.key, source.set.entityType)
    case 'ReturnedEntities':
    case 'ReturnedEntity':
      return percentEncode(source.call.functionImport.path)
  }
}

/** The key predicate of a key. */
export function keyPredicate(key: KeyValues, type: EntityType): string {
  return keyPredicateWriter(type)(key)
}
