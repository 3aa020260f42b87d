import type { OpaqueTags } from '../data/opaque-tags.js'
import type { EntitySet, EntityType, Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { isInteger } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import { versionTypes } from '../evaluation/next-version.js'
import type { Row } from '../evaluation/row.js'
import { setMember, typeOfRow } from '../evaluation/row.js'
import type { WriteRow } from '../formats/entity-address.js'
import { entityTagWriter } from '../formats/entity-address.js'
import { literalAs } from '../query/bind-literal.js'
import { parseSkipToken } from '../uri/parse-query-options.js'
import { percentDecode } from '../uri/percent-encoding.js'

const writers = new WeakMap<EntityType, { readonly write: WriteRow | undefined }>()

/**
 * Returns the ETag of an entity; undefined when it has none.
 *
 * @param etags of the sets whose ETags do not follow from the model
 * @spec MS-ODATA 2.2.5.4 (ETag)
 */
export function entityTagOf(
  row: Row,
  { entityType, path }: EntitySet,
  etags: OpaqueTags | undefined,
): string | undefined {
  const tagOf = etags?.get(path)
  if (tagOf !== undefined) return tagOf(row)
  const type = typeOfRow(row, entityType)
  let writer = writers.get(type)
  if (writer === undefined) {
    writer = { write: entityTagWriter(type) }
    writers.set(type, writer)
  }
  return writer.write?.(row)
}

/** Matches the ETag of a version that is one positive integer. */
const integerTag = /^W\/"([1-9]\d*)(L?)"$/

/** Parses integers without the parser of literals, which takes a tenth of the CPU time of a change. */
function integerVersion(tag: string, [token, ...others]: readonly Property[]): Row | undefined {
  if (token === undefined || others.length > 0 || !isInteger(token.type)) return undefined
  const [, digits, suffix] = integerTag.exec(tag) ?? []
  if (digits === undefined || (suffix === 'L') !== (token.type === 'Edm.Int64')) return undefined
  const value = primitiveTypes[token.type].parse(digits)
  return value === undefined ? undefined : { [token.name]: value }
}

/**
 * Returns the concurrency tokens in the ETag of an entity.
 *
 * @returns undefined for other ETags and lists of them, and for types whose equal values can have different literals
 */
export function versionOfTag(tag: string, set: EntitySet): Row | undefined {
  const { concurrencyTokens } = set.entityType
  const known = integerVersion(tag, concurrencyTokens)
  if (known !== undefined) return known
  const text = /^(?:W\/)?"([^"]*)"$/.exec(tag)?.[1]
  if (text === undefined || !concurrencyTokens.every(({ type }) => versionTypes.has(type))) return undefined
  try {
    const decoded = percentDecode(text)
    const literals = parseSkipToken(decoded)
    const version: Record<string, unknown> = {}
    for (const [index, { name, type }] of concurrencyTokens.entries()) {
      const literal = literals[index]
      setMember(version, name, literal && literalAs(literal, type as PrimitiveTypeName)?.value)
    }
    // Times with different offsets can be equal.
    const isCanonical =
      entityTagOf(version, set, undefined) === `W/"${text}"` && !/[-+]\d\d:\d\d'/.test(decoded)
    return isCanonical ? version : undefined
  } catch {
    return undefined
  }
}
