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
import { searchCondition } from './bind-search.js'
import type { Expression } from './expression.js'
import { conjunction, equalTo, forEachPath } from './expression.js'
import { foldCase } from './fold-case.js'
import type { Matching, SearchLimits } from './search-settings.js'
import type { CollectionSource, EntitySource } from './request-target.js'

/** Longer conditions are replaced by a digest. */
const MAX_CONDITION_LENGTH = 700
const MAX_ID_LENGTH = 1024

/** The group that an id identifies. */
export interface IdentifiedGroup {
  readonly groupBy: readonly Property[]
  /** The condition that the rows of the group meet. */
  readonly filter: Expression | undefined
}

/** Formats the ids of the groups of one request. */
export type WriteGroupId = (group: Readonly<Record<string, unknown>>) => string

/** The parts of a request that decide which rows its groups have. */
export interface GroupRequest {
  readonly options: QueryOptions
  /** True if the service evaluates `search`, so that it can do so again. */
  readonly canSearch: boolean
  /** The digest of the navigation that leads to the groups. */
  readonly path: string
}

/** The settings on which the conditions in ids depend. */
export interface IdSettings extends Matching {
  readonly limits: ExpressionLimits & SearchLimits
}

/**
 * Returns a function that formats the id of a group: its properties and their values, and the conditions of the
 * request. Groups with equal ids have the same rows.
 *
 */
export function groupIdWriter(groupBy: readonly Property[], request: GroupRequest): WriteGroupId {
  const names = groupBy.map(({ name }) => name)
  const conditions = conditionsOf(request)
  return (group) => {
    const values = groupBy.map((property) => textOf(group[property.name], property))
    const id = encode(JSON.stringify([names, values, ...conditions]))
    return id.length <= MAX_ID_LENGTH ? id : `-${digest(id)}`
  }
}

/**
 * Returns the group of an id. Its filter may refer to everything that `$filter` may.
 *
 * @param path the digest of the navigation that leads to the group
 * @returns undefined for a string that is not an id, and for a group that cannot be addressed
 */
export function groupOfId(
  id: string,
  path: string,
  analytical: AnalyticalSet,
  model: EdmModel,
  settings: IdSettings,
): IdentifiedGroup | undefined {
  const content = decode(id)
  if (!Array.isArray(content) || content.length < 2) return undefined
  const [names, values, ...conditions] = content as readonly unknown[]
  if (!Array.isArray(names) || !Array.isArray(values) || names.length !== values.length) return undefined
  const groupBy = names.map((name) => analytical.grouping.find((one) => one.name === name))
  if (!groupBy.every((one) => one !== undefined) || new Set(groupBy).size !== names.length) return undefined
  const filters = groupBy.map((property, index) => equals(property, values[index]))
  if (!filters.every((one) => one !== undefined)) return undefined
  const client = restored(conditions, path, analytical, model, settings)
  return client && { groupBy, filter: conjunction([...filters, ...client]) }
}

/** The query options that decide which rows a group has, after `$filter`. */
const searchOptions = ['search', 'search-focus']

/** Returns the conditions of a request as members of an id. Conditions that cannot be restored are an array. */
function conditionsOf({ canSearch, options, path }: GroupRequest): readonly unknown[] {
  const filter = options.system.get('$filter') ?? ''
  const given = options.custom.filter(([name]) => searchOptions.includes(name))
  const search = given.every(([name, value]) => name !== 'search' || value.trim() === '') ? [] : given
  const texts = [filter, ...searchOptions.map((name) => valueOf(search, name))]
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const canRestore = length <= MAX_CONDITION_LENGTH && (search.length === 0 || canSearch)
  return canRestore ? withoutEmptyEnd([...texts, path]) : [[digest(JSON.stringify([filter, search, path]))]]
}

function withoutEmptyEnd(texts: readonly string[]): readonly string[] {
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)
}

function valueOf(options: QueryOptions['custom'], name: string): string {
  return options.find(([one]) => one === name)?.[1] ?? ''
}

/** Returns the filters of conditions; undefined if they cannot be restored. */
function restored(
  conditions: readonly unknown[],
  path: string,
  analytical: AnalyticalSet,
  model: EdmModel,
  settings: IdSettings,
): readonly Expression[] | undefined {
  if (!conditions.every((one) => typeof one === 'string')) return undefined
  const [filter = '', search = '', focus = '', ownPath = '', ...others] = conditions
  // Every group has one id.
  if (others.length > 0 || conditions.at(-1) === '' || ownPath !== path) return undefined
  const custom = [['search', search] as const, ['search-focus', focus] as const].filter(
    ([, text]) => text !== '',
  )
  try {
    const own = filter === '' ? undefined : boundFilter(filter, analytical, model, settings)
    const { set } = analytical
    const found =
      search === ''
        ? undefined
        : searchCondition({ system: new Map(), custom }, set, model, settings, analytical)
    if (search !== '' && found === undefined) return undefined
    return [own, found].filter((one) => one !== undefined)
  } catch (error) {
    if (error instanceof ODataError) return undefined
    throw error
  }
}

function textOf(value: unknown, property: Property): string | null {
  if (value === null || value === undefined) return null
  const { aroundLiteral, formatLiteral } = primitiveTypes[property.type as PrimitiveTypeName]
  if (typeof value === 'string' && property.type === 'Edm.String') return value
  const [before, after] = aroundLiteral
  const literal = formatLiteral(value)
  return literal.slice(before.length, literal.length - after.length)
}

/** Builds the condition that a property equals a value; undefined for an invalid value. */
function equals(property: Property, text: unknown): Expression | undefined {
  const type = property.type as PrimitiveTypeName
  const value = text === null ? null : typeof text === 'string' ? primitiveTypes[type].parse(text) : undefined
  return value === undefined ? undefined : equalTo(property, value)
}

/** @throws ODataError for an invalid filter */
function boundFilter(
  text: string,
  analytical: AnalyticalSet,
  model: EdmModel,
  { caseInsensitive, limits }: IdSettings,
): Expression {
  const { set } = analytical
  const scope = { model, entitySet: set, entityType: set.entityType }
  const filter = bindFilter(parseFilter(text, { limits }), scope, { source: text, label: '$filter' })
  checkGroupFilter(filter, analytical)
  return caseInsensitive === false ? filter : foldCase(filter, caseInsensitive)
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

/**
 * Checks that a filter can be evaluated before rows are grouped.
 *
 * @throws ODataError QueryOptionNotAllowed
 */
export function checkGroupFilter(
  filter: Expression | undefined,
  { id, measures, set, totaled }: AnalyticalSet,
): void {
  if (filter === undefined) return
  forEachPath(filter, (path) => {
    if (path.kind !== 'PropertyPath' || path.steps.length > 0) return
    const { property } = path
    if (property !== id && property !== totaled && !measures.has(property.name)) return
    throw new ODataError('QueryOptionNotAllowed', {
      message: `$filter cannot use '${property.name}': '${set.path}' is filtered before its rows are grouped.`,
    })
  })
}

/** Returns a digest of the navigation that leads to a collection; an empty string for an entity set. */
export function pathDigest(collection: CollectionSource): string {
  if (collection.kind !== 'RelatedEntities') return ''
  return createHash('sha256')
    .update(JSON.stringify(stepsOf(collection), plainValue))
    .digest('base64url')
}

/** Returns sets, navigation properties and keys from the end of a path to its start. */
function stepsOf(source: CollectionSource | EntitySource): readonly unknown[] {
  switch (source.kind) {
    case 'EntitySet':
      return [source.set.path]
    case 'KeyedEntity':
      return [source.key, ...stepsOf(source.collection)]
    case 'RelatedEntities':
    case 'RelatedEntity':
      return [source.navigation.name, ...stepsOf(source.source)]
    case 'ReturnedEntities':
    case 'ReturnedEntity':
      return [source.call.parameters, source.call.functionImport.path]
  }
}

function plainValue(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
