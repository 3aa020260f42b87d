import type { EntitySet, EntityType } from '../edm/edm-model.js'
import { nearest } from '../errors/suggestions.js'
import type { Row } from '../evaluation/row.js'
import { plainRow } from '../evaluation/value-row.js'
import type { CollectionSource, EntitySource, KeyValues } from '../query/request-target.js'
import { percentEncode } from '../uri/percent-encoding.js'
import type { EntryLayout } from './entry-layout.js'
import { formatCell, ObjectLayout } from './entry-layout.js'
import { literalFormatter, literalWriter } from './literal-text.js'

/** Formats a row. */
export type WriteRow = (row: Row) => string

/**
 * Returns a function that formats the content of the key predicate of rows: `1`, `Order=7,No=2`.
 *
 * @param layout of the rows
 * @spec MS-ODATA 2.2.3.1 (keyPredicate)
 */
export function keyWriter(
  { key, qualifiedName }: EntityType,
  layout: EntryLayout,
): (cells: readonly unknown[], row: Row) => string {
  const writers = key.map((property, position) => {
    const index = layout.indexOf([property])
    const formatter = literalFormatter(property, layout.column(index))
    const prefix = key.length === 1 ? '' : `${position === 0 ? '' : ','}${property.name}=`
    return { index, formatter, prefix, name: property.name }
  })
  return (cells, row) => {
    let predicate = ''
    for (const { index, formatter, prefix, name } of writers) {
      const cell = cells[index]
      if (cell === null || cell === undefined) throw missingKey(qualifiedName, name, row)
      predicate += prefix + formatCell(formatter, cell)
    }
    return predicate
  }
}

const keyRemedy =
  "If a database stores null in the key, correct it there, or set invalidValues: 'null' of sqlProvider (--invalid-as-null) to omit such rows."

function missingKey(typeName: string, name: string, row: Row): TypeError {
  const values = plainRow(row)
  const hint = values[name] === null ? ` ${keyRemedy}` : nearHint(name, values)
  return new TypeError(`The provider returned a '${typeName}' without its key '${name}'.${hint}`)
}

/** Returns a function that formats the key predicate of rows: `(1)`, `(Order=7,No=2)`. */
export function keyPredicateWriter(type: EntityType): WriteRow {
  const layout = new ObjectLayout()
  const write = keyWriter(type, layout)
  return (row) => `(${write(layout.cells(row), row)})`
}

/** Returns a hint at a column with a similar name. Columns of databases often differ from properties only in case. */
function nearHint(name: string, row: Row): string {
  const near = nearest(name, Object.keys(row))
  return near === undefined || near === name ? '' : ` It has '${near}'.`
}

/** Returns a function that formats the canonical path of rows, relative to the service root: `Categories(1)`. */
export function entityPathWriter(set: EntitySet): WriteRow {
  const writeKey = keyPredicateWriter(set.entityType)
  const prefix = pathPrefix(set)
  return (row) => prefix + writeKey(row)
}

/** Returns the path of entities before the key predicate. */
export function pathPrefix(set: EntitySet): string {
  return percentEncode(set.path)
}

/** Returns a function that formats the `$skiptoken` of rows in the order of their key. */
export function keyTokenWriter({ key }: EntityType): WriteRow {
  const writers = key.map((property) => literalWriter(property))
  return (row) => writers.map((write) => write(row)).join(',')
}

/** Returns the path of a request, relative to the service root. */
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

export function keyPredicate(key: KeyValues, type: EntityType): string {
  return keyPredicateWriter(type)(key)
}

/**
 * Returns a function that formats the ETag of rows, `W/"3"`, from the properties that are concurrency tokens.
 *
 * @returns undefined when the type has no concurrency token
 * @spec MS-ODATA 2.2.5.4 (ETag)
 */
export function entityTagWriter({ concurrencyTokens }: EntityType): WriteRow | undefined {
  if (concurrencyTokens.length === 0) return undefined
  const writers = concurrencyTokens.map((property) => literalWriter(property))
  return (row) => `W/"${writers.map((write) => write(row)).join(',')}"`
}
