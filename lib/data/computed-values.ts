import type { ComputedDefinition, EntitySet, EntityType, Property } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { originalSet } from '../edm/model-view.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { EvaluationContext } from '../evaluation/evaluation-context.js'
import { ExpressionCompiler } from '../evaluation/compile-expression.js'
import type { ReadOperand } from '../evaluation/compile-path.js'
import { propertyReader } from '../evaluation/compile-path.js'
import type { Row } from '../evaluation/row.js'
import { memberReader, setMember, typeOfRow } from '../evaluation/row.js'
import { plainRow } from '../evaluation/value-row.js'
import type { ProviderCall } from '../provider/provider-call.js'
import { computedExpression } from '../query/computed-expression.js'
import type { Projection } from '../query/projection.js'
import { shownProperties } from '../query/projection.js'
import { getOrCreate } from '../util/get-or-create.js'
import { isRecord } from '../util/is-record.js'
import { describeUnknownMember } from './unknown-member.js'

type ReadValue = (row: Row) => unknown

/** Sets the value of a property in copies of rows. */
type Complete = (
  rows: readonly Row[],
  copies: readonly Record<string, unknown>[],
) => Promise<void> | undefined

/** Reads the related entities that expressions refer to, before the expressions are evaluated. */
interface Prefetch extends EvaluationContext {
  readonly isEmpty: boolean
  load(rows: readonly Row[]): Promise<void>
}

/** The computed properties of a projection, compiled for one request. */
interface CompiledProjection {
  readonly prefetch: Prefetch
  readonly properties: readonly Complete[]
}

/** Computes the values of the computed properties that one request shows. */
export class ComputedValues {
  private readonly compiled = new Map<Projection, CompiledProjection>()

  constructor(
    private readonly createPrefetch: (set: EntitySet) => Prefetch,
    private readonly call: ProviderCall,
  ) {}

  /** Returns copies of rows with the values of their computed properties. Equal rows are computed once. */
  async complete(rows: readonly Row[], projection: Projection): Promise<readonly Row[]> {
    const compiled = getOrCreate(this.compiled, projection, () => this.compile(projection))
    const { prefetch, properties } = compiled
    if (properties.length === 0 || rows.length === 0) return rows
    const distinct = [...new Set(rows)]
    if (!prefetch.isEmpty) await prefetch.load(distinct)
    const copies = distinct.map((row): Record<string, unknown> => ({ ...plainRow(row) }))
    for (const complete of properties) await complete(distinct, copies)
    if (distinct.length === rows.length) return copies
    const copyOf = new Map(distinct.map((row, index) => [row, copies[index] ?? row]))
    return rows.map((row) => copyOf.get(row) ?? row)
  }

  private compile(projection: Projection): CompiledProjection {
    const { set } = projection
    const prefetch = this.createPrefetch(set)
    const shown = shownProperties(projection).filter(({ computed }) => computed !== undefined)
    return { prefetch, properties: shown.map((property) => this.compileProperty(property, set, prefetch)) }
  }

  private compileProperty(property: Property, set: EntitySet, prefetch: Prefetch): Complete {
    const { name, computed = {} } = property
    if (computed.values !== undefined) return this.compileBatch(property, set, prefetch)
    const read = valueReader(property, set, prefetch, this.call)
    return (rows, copies) => {
      for (const [index, row] of rows.entries()) {
        const copy = copies[index]
        if (copy !== undefined && hasProperty(row, property, set)) setMember(copy, name, read(row))
      }
      return undefined
    }
  }

  /** Compiles a property with `values`, which is called once for all rows that have the property. */
  private compileBatch(property: Property, set: EntitySet, prefetch: Prefetch): Complete {
    const { name, computed = {} } = property
    const { needs = [], values } = computed as ComputedDefinition & {
      readonly values?: (rows: readonly Row[], call: ProviderCall) => unknown
    }
    const read = needsReader(needs, property, set, prefetch, this.call)
    return async (rows, copies) => {
      const own = rows.flatMap((row, index) =>
        hasProperty(row, property, set) ? [{ row, copy: copies[index] }] : [],
      )
      if (own.length === 0) return
      const results = await attempt(property, set, () =>
        values?.(
          own.map(({ row }) => read(row)),
          this.call,
        ),
      )
      if (!Array.isArray(results) || results.length !== own.length) {
        throw new TypeError(
          `${nameOf(property, set)}: values() must return an array of ${own.length} values.`,
        )
      }
      for (const [index, { copy }] of own.entries()) {
        if (copy !== undefined) setMember(copy, name, present(results[index], property, set))
      }
    }
  }
}

/** Returns a function that computes the value of a property of one row. */
export function valueReader(
  property: Property,
  set: EntitySet,
  context: EvaluationContext,
  call: ProviderCall,
): ReadValue {
  const { name, type, computed } = property
  if (computed?.value !== undefined) {
    const { needs = [] } = computed
    const value = computed.value as (row: Row, call: ProviderCall) => unknown
    const read = needsReader(needs, property, set, context, call)
    return (row) => {
      const given = read(row)
      try {
        return present(value(given, call), property, set)
      } catch (error) {
        throw failure(property, set, error)
      }
    }
  }
  const member = memberReader(name)
  if (!isPrimitive(type) || (computed !== undefined && computed.expression === undefined)) {
    return (row) => member(row) ?? null
  }
  const bound = computed === undefined ? undefined : computedExpression(set, property)
  const expression = bound && (context.restrictComputed?.(bound) ?? bound)
  const owner = ownerOf(property, set)
  const compiler = new ExpressionCompiler(owner, context)
  if (expression === undefined) return toValues(propertyReader(name, type, owner.qualifiedName), type)
  return toValues(compiler.operand(expression), type)
}

function toValues(read: ReadOperand, type: PrimitiveTypeName): ReadValue {
  const { toValue } = primitiveTypes[type]
  return (row) => {
    const operand = read(row)
    return operand === null ? null : toValue(operand)
  }
}

/** Returns a function that copies the needed properties of a row. A function sees those that the caller may not see. */
function needsReader(
  needs: readonly string[],
  property: Property,
  set: EntitySet,
  context: EvaluationContext,
  call: ProviderCall,
): (row: Row) => Row {
  const original = originalSet(set)
  const owner = ownerOf(property, original)
  const members = needs.flatMap((name) => {
    const needed = owner.property(name)
    return needed === undefined ? [] : [{ name, read: valueReader(needed, original, context, call) }]
  })
  return (row) => {
    const needed: Record<string, unknown> = {}
    for (const { name, read } of members) setMember(needed, name, read(row))
    return needed
  }
}

/** Returns the type of a set, or a derived type, that has a property. */
function ownerOf({ name }: Property, { entityType }: EntitySet): EntityType {
  const types = [entityType, ...entityType.derivedTypes]
  return types.find((type) => type.property(name) !== undefined) ?? entityType
}

function hasProperty(row: Row, { name }: Property, { entityType }: EntitySet): boolean {
  return entityType.derivedTypes.length === 0 || typeOfRow(row, entityType).property(name) !== undefined
}

async function attempt(property: Property, set: EntitySet, work: () => unknown): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    throw failure(property, set, error)
  }
}

function failure(property: Property, set: EntitySet, cause: unknown): TypeError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new TypeError(`${nameOf(property, set)} could not be computed: ${message}`, { cause })
}

/** @throws TypeError for undefined, which is more likely a mistake than null, and for misspelt members */
function present(value: unknown, property: Property, set: EntitySet): unknown {
  const { type } = property
  const unknown = isPrimitive(type) || !isRecord(value) ? undefined : describeUnknownMember(type, value)
  if (unknown !== undefined) throw new TypeError(`${nameOf(property, set)} has ${unknown}`)
  if (value !== undefined) return value
  throw new TypeError(`${nameOf(property, set)} has no value: return null for an absent value.`)
}

function nameOf({ name }: Property, { path }: EntitySet): string {
  return `The computed property '${name}' of '${path}'`
}
