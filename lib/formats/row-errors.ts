import type { EntitySet, Property } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { RowBatch } from '../data/row-batch.js'
import type { Projection } from '../query/projection.js'
import { wholeProjection } from '../query/projection.js'
import type { WriteRow } from './entity-address.js'
import { entityPathWriter, keyPredicateWriter } from './entity-address.js'
import type { Format, WriteContext } from './format.js'
import { formatText } from './plain-text.js'

/**
 * Adds the entity and the property to an error of serialization. They are searched only after an error: tracking them
 * would slow down the serialization of every value.
 */
export function withPropertyPath(
  thrown: unknown,
  projection: Projection,
  batch: RowBatch,
  index: number,
): unknown {
  if (!(thrown instanceof TypeError)) return thrown
  const place = locateInvalidValue(projection, batch, index)
  return place === undefined
    ? thrown
    : new TypeError(`${place}: ${thrown.message} ${remedy}`, { cause: thrown })
}

const remedy =
  "If a database stores it, correct it there, or set invalidValues: 'null' of sqlProvider (--invalid-as-null) to serve it as null."

/** Serializes an entry document, with errors that name the invalid property. */
export function entryDocument(
  format: Format,
  projection: Projection,
  batch: RowBatch,
  context: WriteContext,
): string {
  try {
    return format.entry(projection, batch, context)
  } catch (thrown) {
    throw withPropertyPath(thrown, projection, batch, 0)
  }
}

/** Returns a function that formats the path of entities of a set, with errors that name the invalid key property. */
export function addressWriter(set: EntitySet): WriteRow {
  const write = entityPathWriter(set)
  return (row) => {
    try {
      return write(row)
    } catch (thrown) {
      throw withPropertyPath(thrown, wholeProjection(set), { rows: [row], expansions: [] }, 0)
    }
  }
}

function locateInvalidValue(projection: Projection, batch: RowBatch, index: number): string | undefined {
  const row = batch.rows[index]
  if (row === undefined) return undefined
  const { set, entityType, expansions } = projection
  const property = invalidProperty(typeOfRow(row, entityType).properties, row)
  if (property !== undefined) return `${set.path}${formatKey(row, projection)}, property '${property}'`
  for (const [position, { projection: inner }] of expansions.entries()) {
    const expanded = batch.expansions[position]
    if (expanded === undefined) continue
    const end = expanded.offsets[index + 1] ?? 0
    for (let child = expanded.offsets[index] ?? 0; child < end; child++) {
      const place = locateInvalidValue(inner, expanded.batch, child)
      if (place !== undefined) return place
    }
  }
  return undefined
}

/** Returns the path of the first property whose value is invalid for its type. */
function invalidProperty(properties: readonly Property[], row: Row): string | undefined {
  for (const { name, type } of properties) {
    const value = row[name]
    if (value === null || value === undefined) continue
    if (isPrimitive(type)) {
      if (!succeeds(() => formatText[type](value))) return name
    } else {
      const member = invalidProperty(type.properties, value as Row)
      if (member !== undefined) return `${name}/${member}`
    }
  }
  return undefined
}

function succeeds(write: () => string): boolean {
  try {
    write()
    return true
  } catch {
    return false
  }
}

/** @returns an empty string when the key is invalid */
function formatKey(row: Row, { entityType }: Projection): string {
  try {
    return keyPredicateWriter(entityType)(row)
  } catch {
    return ''
  }
}
