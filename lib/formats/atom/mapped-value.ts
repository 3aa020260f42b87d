import type { EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { FeedMapping } from '../../edm/feed-mapping.js'
import type { Row } from '../../evaluation/row.js'
import type { ReadText } from './xml-text.js'
import { textReader } from './xml-text.js'

/** A mapped value with what its target needs to know. */
export interface MappedValue {
  readonly mapping: FeedMapping
  readonly property: Property
  readonly read: ReadText
  /** The value before escaping; undefined when it is null. */
  readonly raw: (row: Row) => unknown
}

/** The value that a feed customisation takes from entities of a type. */
export function mappedValue(type: EntityType, mapping: FeedMapping): MappedValue | undefined {
  const owners = mapping.sourcePath.slice(0, -1)
  let properties: { property(name: string): Property | undefined } = type
  for (const name of owners) {
    const complex = properties.property(name)?.type
    if (complex === undefined || isPrimitive(complex)) return undefined
    properties = complex
  }
  const property = properties.property(mapping.sourcePath.at(-1) ?? '')
  if (property === undefined || !isPrimitive(property.type)) return undefined
  const read = textReader(property)
  const owner = (row: Row): Row => {
    let value: Row = row
    for (const name of owners) value = (value[name] as Row | null | undefined) ?? {}
    return value
  }
  return {
    mapping,
    property,
    read: owners.length === 0 ? read : (row) => read(owner(row)),
    raw: (row) => owner(row)[property.name] ?? undefined,
  }
}
