import { createHash } from 'node:crypto'
import type { AnalyticalSet } from '../edm/analytical-set.js'
import type { EdmModel, Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import { ODataError } from '../errors/odata-error.js'
import type { ExpressionLimits } from '../uri/parse-expression.js'
import { parseFilter } from '../uri/parse-expression.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { bindFilter } from './bind-expression.js'
import type { Expression } from './expression.js'
import { conjunction } from './expression.js'
import type { CaseFolding } from './fold-case.js'
import { foldCase } from './fold-case.js'

/** Longer conditions are replaced by a digest. */
const MAX_CONDITION_LENGTH = 700
const MAX_ID_LENGTH = 1024

/** The group that an id stands for. */
export interface IdentifiedGroup {
  readonly groupBy: readonly Property[]
  /** The condition that the rows of the group meet. */
  readonly filter: Expression | undefined
}

/** Writes the ids of the groups of one request. */
export type WriteGroupId = (group: Readonly<Record<string, unknown>>) => string

/**
 * Returns a function that writes the id of a group: its properties and their values, and the conditions of the request.
 * Groups with equal ids have the same rows.
 */
export function groupIdWriter(groupBy: readonly Property[], options: QueryOptions): WriteGroupId {
  const names = groupBy.map(({ name }) => name)
  const condition = conditionOf(options)
  return (group) => {
    const values = groupBy.map((property) => textOf(group[property.name], property))
    const id = encode(JSON.stringify([names, values, ...condition]))
    return id.length <= MAX_ID_LENGTH ? id : `-${digest(id)}`
  }
}

/**
 * Returns the group of an id. Its filter may refer to everything that `$filter` may.
 *
 * @returns undefined for a string that is not an id, and for a group that cannot be addressed
 */
export function groupOfId(
  id: string,
  analytical: AnalyticalSet,
  model: EdmModel,
  limits: ExpressionLimits,
  caseInsensitive: CaseFolding,
): IdentifiedGroup | undefined {
  const content = decode(id)
  if (!Array.isArray(content) || content.length < 2 || content.length > 3) return undefined
  const [names, values, filterText] = content as readonly unknown[]
  if (!Array.isArray(names) || !Array.isArray(values) || names.length !== values.length) return undefined
  const groupBy = names.map((name) => analytical.grouping.find((one) => one.name === name))
  if (!groupBy.every((one) => one !== undefined) || new Set(groupBy).size !== names.length) return undefined
  const filters = groupBy.map((property, index) => equals(property, values[index]))
  if (!filters.every((one) => one !== undefined)) return undefined
  const client = filterText === undefined ? undefined : boundFilter(filterText, analytical, model, limits)
  if (filterText !== undefined && client === undefined) return undefined
  if (client === undefined) return { groupBy, filter: conjunction(filters) }
  const folded = caseInsensitive === false ? client : foldCase(client, caseInsensitive)
  return { groupBy, filter: conjunction([...filters, folded]) }
}

/** The conditions that decide which rows a group has. Conditions that cannot be restored make a fourth member. */
function conditionOf({ custom, system }: QueryOptions): readonly unknown[] {
  const filter = system.get('$filter')
  const search = custom.find(([name]) => name === 'search')?.[1] ?? ''
  if (search === '' && filter === undefined) return []
  if (search === '' && filter !== undefined && filter.length <= MAX_CONDITION_LENGTH) return [filter]
  return [null, digest(JSON.stringify([filter, search]))]
}

function textOf(value: unknown, property: Property): string | null {
  if (value === null || value === undefined) return null
  const { aroundLiteral, formatLiteral } = primitiveTypes[property.type as PrimitiveTypeName]
  if (typeof value === 'string' && property.type === 'Edm.String') return value
  const [before, after] = aroundLiteral
  const literal = formatLiteral(value)
  return literal.slice(before.length, literal.length - after.length)
}

/** A condition that a property has a value; undefined for an invalid value. */
function equals(property: Property, text: unknown): Expression | undefined {
  const type = property.type as PrimitiveTypeName
  const value = text === null ? null : typeof text === 'string' ? primitiveTypes[type].parse(text) : undefined
  if (value === undefined) return undefined
  return {
    kind: 'Binary',
    operator: 'eq',
    left: { kind: 'PropertyPath', steps: [], property, type },
    right: { kind: 'Literal', type: value === null ? null : type, value },
    operandType: type,
    type: 'Edm.Boolean',
  }
}

function boundFilter(
  text: unknown,
  { set }: AnalyticalSet,
  model: EdmModel,
  limits: ExpressionLimits,
): Expression | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const scope = { model, entitySet: set, entityType: set.entityType }
    return bindFilter(parseFilter(text, { limits }), scope, { source: text, label: '$filter' })
  } catch (error) {
    if (error instanceof ODataError) return undefined
    throw error
  }
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function decode(id: string): unknown {
  if (id.length > MAX_ID_LENGTH || !/^[\w-]+$/.test(id)) return undefined
  try {
    const text = Buffer.from(id, 'base64url').toString()
    // Every group has one id.
    return encode(text) === id ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
