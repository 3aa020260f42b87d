import type { EntitySet, EntityType, NavigationProperty, StructuralType } from '../edm/edm-model.js'
import type { HiddenNames } from '../edm/model-view.js'
import { originalSet } from '../edm/model-view.js'
import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import type { Operation } from '../provider/authorize.js'
import type { DerivedColumns } from '../query/derived-columns.js'
import type { Expression } from '../query/expression.js'
import type { KeyValues } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, isPromiseLike } from '../util/promise-or-value.js'

/** The columns of an entity set that a result of `authorize` restricts. */
export interface RestrictedColumns {
  readonly hidden: readonly string[]
  readonly readonly: readonly string[]
}

/** The filters of an operation that `authorize` has returned. */
interface StoredFilters {
  readonly operation: Operation
  filters: PromiseOrValue<readonly Expression[]>
}

const noNames: HiddenNames = new Map()

/**
 * The column rights of one request: a column that `authorize` hides in one part of the request is hidden in all of its
 * parts. Also stores results of `authorize` for later steps.
 */
export class ColumnRights {
  /** Created when columns are added: most requests have none. */
  private hiddenNames: Map<string, Set<string>> | undefined
  private readonlyNames: Map<string, Set<string>> | undefined
  private results: StoredFilters[] = []
  /** True while results are stored for a later step. */
  private isEarly = false

  /** @param derived the columns that are hidden together with those that they are derived from */
  constructor(readonly derived: DerivedColumns) {}

  get hidden(): HiddenNames {
    return this.hiddenNames ?? noNames
  }

  /** Returns true if clients cannot change a property or navigation property, given by its path: `Address/Zip`. */
  isReadonly({ path }: EntitySet, name: string): boolean {
    return this.readonlyNames?.get(path)?.has(name) === true
  }

  /** Returns true if the set has hidden or readonly columns. */
  restricts({ path }: EntitySet): boolean {
    return this.hiddenNames?.has(path) === true || this.readonlyNames?.has(path) === true
  }

  isHidden({ path }: EntitySet, name: string): boolean {
    return this.hiddenNames?.get(path)?.has(name) === true
  }

  /**
   * Checks a link that is added or removed, from both sides: it also changes the navigation property of the target, and
   * the foreign key.
   *
   * @throws ODataError Forbidden when one of them is readonly or hidden
   */
  checkLink(
    set: EntitySet,
    { association, name, partner, toEnd }: NavigationProperty,
    target: EntitySet,
  ): void {
    this.checkColumn(set, name)
    if (partner !== undefined) this.checkColumn(target, partner.name)
    const { dependent, dependentProperties = [] } = association.referentialConstraint ?? {}
    const owner = dependent === toEnd ? target : set
    for (const property of dependentProperties) this.checkColumn(owner, property.name)
  }

  /**
   * Checks a column that a link changes.
   *
   * @throws ODataError Forbidden when it is readonly or hidden. The message does not name a hidden column.
   */
  checkColumn(set: EntitySet, name: string): void {
    if (this.isHidden(set, name))
      throw new ODataError('Forbidden', { message: 'This link cannot be changed.' })
    if (this.isReadonly(set, name)) throw readonlyError(name)
  }

  /** Returns an error of a change without the names of hidden columns, such as that of a violated constraint. */
  conceal(thrown: unknown): unknown {
    if (!(thrown instanceof ODataError) || thrown.status >= 500 || this.hiddenNames === undefined)
      return thrown
    const names = [...this.hiddenNames.values()].flatMap((ofSet) => [...ofSet])
    const quoted = [...thrown.message.matchAll(/'([^']+)'/g)].flatMap(([, text = '']) => text.split(', '))
    const paths = quoted.map((text) => `/${text.replaceAll('.', '/')}/`)
    if (!paths.some((path) => names.some((name) => path.includes(`/${name}/`)))) return thrown
    const message = 'A column that you cannot see prevents this change.'
    return new ODataError(thrown.code, { message, status: thrown.status, cause: thrown })
  }

  add({ path }: EntitySet, { hidden, readonly }: RestrictedColumns): void {
    if (hidden.length > 0) {
      this.hiddenNames ??= new Map<string, Set<string>>()
      addNames(this.hiddenNames, path, hidden)
      this.derived.addTo(this.hiddenNames)
    }
    if (readonly.length > 0) addNames((this.readonlyNames ??= new Map<string, Set<string>>()), path, readonly)
  }

  /** Returns the filters of an operation if an earlier step of the request has called `authorize`. */
  filtersOf(operation: Operation): StoredFilters['filters'] | undefined {
    const index = this.results.length === 0 ? -1 : this.indexOf(operation)
    const known = this.results[index]
    // A result replaces one call only, so that the number of calls does not change.
    if (known !== undefined && !this.isEarly) this.results.splice(index, 1)
    return known?.filters
  }

  /** Stores the filters of an operation for a later step; the caller replaces a promise that has been fulfilled. */
  store(operation: Operation, filters: StoredFilters['filters']): StoredFilters | undefined {
    if (!this.isEarly) return undefined
    const stored = { operation, filters }
    this.results.push(stored)
    return stored
  }

  /** Makes one call of `authorize` whose result is stored for a later step. */
  storing<T>(call: () => T): T {
    this.isEarly = true
    try {
      return call()
    } finally {
      this.isEarly = false
    }
  }

  /** Runs work that calls `authorize` before the step that needs the results. They are stored for that step. */
  early<T>(work: () => PromiseOrValue<T>): PromiseOrValue<T> {
    const result = this.storing(work)
    if (!isPromiseLike(result)) return result
    this.isEarly = true
    return Promise.resolve(result).then(
      (completed) => {
        this.isEarly = false
        return completed
      },
      (thrown: unknown) => {
        this.isEarly = false
        throw thrown
      },
    )
  }

  private indexOf(operation: Operation): number {
    return this.results.findIndex((one) => isSameOperation(one.operation, operation))
  }

  /** Discards results, because application code can depend on the change set that has begun. */
  forgetResults(): void {
    this.results = []
  }
}

export function readonlyError(path: string): ODataError {
  return new ODataError('Forbidden', { message: `'${path}' cannot be changed: it is read-only.` })
}

/** Runs a call of `authorize` whose refusal belongs to a later step. */
export function ignoreRefusal(call: () => PromiseOrValue<unknown>): PromiseOrValue<unknown> {
  return catchValue(call, (error) => {
    if (!(error instanceof ODataError) || error.status >= 500) throw error
  })
}

function addNames(names: Map<string, Set<string>>, set: string, added: readonly string[]): void {
  const known = names.get(set)
  if (known === undefined) names.set(set, new Set(added))
  else for (const name of added) known.add(name)
}

/** Compares the values of keys last: nearly all operations differ before, or have a key of one string or number. */
function isSameOperation(one: Operation, other: Operation): boolean {
  if (one.kind !== other.kind || one.entitySet !== other.entitySet) return false
  if (one.kind === 'function' || other.kind === 'function') return textOf(one) === textOf(other)
  if (one.navigation !== other.navigation || one.expandDepth !== other.expandDepth) return false
  return isSameKey(one.key, other.key)
}

function isSameKey(one: KeyValues | undefined, other: KeyValues | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return Object.entries(one).every(([name, value]) => {
    const compared = other[name]
    return value === compared || (typeof value === 'object' && textOf(value) === textOf(compared))
  })
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? `${String(member)}n` : member,
  )
}

const members = ['filter', 'hidden', 'readonly']

/** Returns true if a result of `authorize` is an object with column rights. */
export function hasColumnRights(result: unknown): result is Readonly<Record<string, unknown>> {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return false
  const names = Object.keys(result)
  return names.length > 0 && names.every((name) => members.includes(name))
}

/**
 * Validates the columns in a result of `authorize`.
 *
 * @throws ODataError InternalServerError for an unknown name, and for a hidden key property or concurrency token
 */
export function restrictedColumns(
  { hidden, readonly }: Readonly<Record<string, unknown>>,
  { kind }: Operation,
  set: EntitySet | undefined,
): RestrictedColumns {
  const columns = { hidden: namesIn(hidden, 'hidden'), readonly: namesIn(readonly, 'readonly') }
  if (set === undefined) {
    if (columns.hidden.length + columns.readonly.length === 0) return columns
    throw invalid(`authorize returned columns for a ${kind} that returns no entities.`)
  }
  const original = originalSet(set)
  for (const name of [...columns.hidden, ...columns.readonly]) checkName(name, original)
  for (const name of columns.hidden) checkHidden(name, original)
  return columns
}

function namesIn(names: unknown, member: string): readonly string[] {
  if (names === undefined) return []
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names
  throw invalid(`authorize must return '${member}' as an array of names.`)
}

function checkName(name: string, { path, entityType }: EntitySet): void {
  const types = [entityType, ...entityType.derivedTypes]
  if (types.some((type) => hasColumn(type, name))) return
  const known = types.flatMap((type) => [...type.properties, ...type.navigationProperties])
  const hint = didYouMean(
    name,
    known.map((one) => one.name),
  )
  throw invalid(`authorize returned '${name}', which is not a property of '${path}'.${hint}`)
}

function hasColumn(type: EntityType, name: string): boolean {
  if (type.navigationProperty(name) !== undefined) return true
  const [first = '', ...rest] = name.split('/')
  return (
    rest.reduce<unknown>((property, member) => memberNamed(property, member), type.property(first)) !==
    undefined
  )
}

function memberNamed(property: unknown, name: string): unknown {
  const type = (property as { readonly type: string | StructuralType } | undefined)?.type
  return type === undefined || typeof type === 'string' ? undefined : type.property(name)
}

function checkHidden(name: string, { path, entityType }: EntitySet): void {
  const types = [entityType, ...entityType.derivedTypes]
  const isNamed = (one: { readonly name: string; readonly type: unknown }): boolean => one.name === name
  if (types.some(({ key }) => key.some(isNamed)))
    throw invalid(`authorize cannot hide '${name}' of '${path}': it is part of the key.`)
  if (types.some(({ concurrencyTokens }) => concurrencyTokens.some(isNamed)))
    throw invalid(`authorize cannot hide '${name}' of '${path}': it is part of the ETag.`)
}

function invalid(message: string): ODataError {
  return new ODataError('InternalServerError', { message })
}
