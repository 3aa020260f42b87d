import type { AggregationMethod } from '../edm/measure-option.js'
import type { EntityType, Property } from '../edm/edm-model.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { PropertyPath } from '../query/expression.js'
import type { ReadOperand } from './compile-path.js'
import { compilePropertyPath } from './compile-path.js'
import type { EvaluationContext } from './evaluation-context.js'
import { ExactSum } from './exact-sum.js'
import { operandText } from './key-text.js'
import type { Row } from './row.js'
import { setMember } from './row.js'

/** Collects the values of one measure of one group. */
interface Accumulator {
  add(row: Row): void
  result(): unknown
}

interface Group {
  readonly values: readonly (Operand | null)[]
  readonly accumulators: readonly Accumulator[]
}

/**
 * A property by which entities are grouped.
 *
 * @example const isOwnProperty = ({ path }: GroupingProperty) => path.steps.length === 0
 */
export interface GroupingProperty {
  /** The property of groups. */
  readonly property: Property
  /** The path of the property of entities that has its values. */
  readonly path: PropertyPath
}

/**
 * A value of a group that is aggregated from the values of its entities.
 *
 * @example
 * const toSql = ({ method, input }: GroupMeasure) =>
 *   input === undefined ? 'count(*)' : `${method}("${input.property.name}")`
 */
export interface GroupMeasure {
  /** The property of groups. */
  readonly property: Property
  /** How the values become one value. */
  readonly method: AggregationMethod
  /** The aggregated values of entities; undefined for `count`. */
  readonly input: PropertyPath | undefined
  /** The currency or unit of the values. If it differs within a group, the measure is null; null counts as a unit. */
  readonly unit: PropertyPath | undefined
}

/**
 * The properties to group entities by, and the measures to aggregate.
 *
 * @example
 * const pushdown: Pushdown = {
 *   aggregation: ({ measures }: GroupingSpec) => measures.every(({ method }) => method === 'count'),
 * }
 */
export interface GroupingSpec {
  /** The properties by which entities are grouped; null is a value, and strings differ by code point. Empty: one group. */
  readonly groupBy: readonly GroupingProperty[]
  /** The values of a group. */
  readonly measures: readonly GroupMeasure[]
}

/**
 * Groups rows and aggregates their measures. Null is a group of its own. Sums are exact, so that results do not depend on
 * the order of rows.
 */
export class GroupTable {
  private readonly groups = new Map<string, Group>()
  private readonly grouping: readonly Reader[]
  private readonly createAccumulators: readonly (() => Accumulator)[]

  constructor(
    private readonly spec: GroupingSpec,
    type: EntityType,
    context: EvaluationContext,
  ) {
    const readerOf = (path: PropertyPath): Reader => new Reader(path, type, context)
    this.grouping = spec.groupBy.map(({ path }) => readerOf(path))
    this.createAccumulators = spec.measures.map((measure) => accumulatorFactory(measure, readerOf))
  }

  /** The number of groups. */
  get size(): number {
    return this.groups.size
  }

  add(row: Row): void {
    const { accumulators } = this.groupOf(row)
    for (const accumulator of accumulators) accumulator.add(row)
  }

  /** Returns a row for each group: the properties that it is grouped by, and the measures. */
  rows(): readonly Row[] {
    const { groupBy, measures } = this.spec
    return [...this.groups.values()].map(({ accumulators, values }) => {
      const row: Record<string, unknown> = {}
      for (const [index, { property }] of groupBy.entries()) {
        setMember(row, property.name, this.grouping[index]?.toValue(values[index] ?? null))
      }
      for (const [index, measure] of measures.entries()) {
        setMember(row, measure.property.name, accumulators[index]?.result())
      }
      return row
    })
  }

  private groupOf(row: Row): Group {
    const { grouping } = this
    const values = grouping.map(({ read }) => read(row))
    const key = groupKey(values)
    let group = this.groups.get(key)
    if (group === undefined) {
      group = { values, accumulators: this.createAccumulators.map((create) => create()) }
      this.groups.set(key, group)
    }
    return group
  }
}

/** Reads the operands at the end of one path. */
class Reader {
  readonly read: ReadOperand
  readonly type: PrimitiveTypeName

  constructor(path: PropertyPath, owner: EntityType, context: EvaluationContext) {
    this.type = path.type
    this.read = compilePropertyPath(path, owner, context)
  }

  toValue(operand: Operand | null): unknown {
    return operand === null ? null : primitiveTypes[this.type].toValue(operand)
  }
}

/** Returns a string that only equal values share. */
function groupKey(values: readonly (Operand | null)[]): string {
  const [first = null, ...others] = values
  if (others.length === 0) return partOf(first)
  return values.map(partOf).join('')
}

/** Formats a value with its length, so that ('a','bc') and ('ab','c') have different keys. */
function partOf(value: Operand | null): string {
  if (value === null) return '-'
  const text = operandText(value)
  return `${text.length}:${text}`
}

function accumulatorFactory(
  measure: GroupMeasure,
  readerOf: (path: PropertyPath) => Reader,
): () => Accumulator {
  const { input, method, property, unit } = measure
  const reader = input && readerOf(input)
  const create = (): Accumulator =>
    reader === undefined || method === 'count' ? rowCount(property) : factories[method](reader, property)
  if (unit === undefined) return create
  const unitReader = readerOf(unit)
  return () => new SingleUnit(create(), unitReader)
}

/** Returns null if the rows have different units. */
class SingleUnit implements Accumulator {
  private unit: string | undefined
  private isMixed = false

  constructor(
    private readonly inner: Accumulator,
    private readonly reader: Reader,
  ) {}

  add(row: Row): void {
    if (this.isMixed) return
    const unit = partOf(this.reader.read(row))
    this.unit ??= unit
    this.isMixed = unit !== this.unit
    this.inner.add(row)
  }

  result(): unknown {
    return this.isMixed ? null : this.inner.result()
  }
}

type ValueMethod = Exclude<AggregationMethod, 'count'>

const factories: Readonly<Record<ValueMethod, (input: Reader, property: Property) => Accumulator>> = {
  sum: (input, property) => summing(input, (sum) => (sum.count === 0 ? null : sum.sum(...typeOf(property)))),
  average: (input, property) => summing(input, (sum) => sum.average(...typeOf(property))),
  min: (input) => new Extreme(input, -1),
  max: (input) => new Extreme(input, 1),
  countDistinct: (input, property) => new DistinctCount(input, property),
}

function typeOf({ scale, type }: Property): [type: PrimitiveTypeName, scale: number | undefined] {
  return [type as PrimitiveTypeName, scale]
}

function summing(input: Reader, result: (sum: ExactSum) => unknown): Accumulator {
  const sum = new ExactSum()
  return {
    add(row) {
      const value = input.read(row)
      if (value !== null) sum.add(value)
    },
    result: () => result(sum),
  }
}

function rowCount(property: Property): Accumulator {
  let count = 0
  return {
    add: () => void count++,
    result: () => numberAs(count, property),
  }
}

function numberAs(value: number, property: Property): unknown {
  const sum = new ExactSum()
  sum.add(value)
  return sum.sum(...typeOf(property))
}

/** Aggregates the least or greatest value. */
class Extreme implements Accumulator {
  private value: Operand | null = null
  private readonly compare: (a: Operand, b: Operand) => number

  /** @param sign 1 for the greatest value, -1 for the least */
  constructor(
    private readonly input: Reader,
    private readonly sign: 1 | -1,
  ) {
    this.compare = primitiveTypes[input.type].compare
  }

  add(row: Row): void {
    const value = this.input.read(row)
    if (value === null) return
    if (this.value === null || this.compare(value, this.value) * this.sign > 0) this.value = value
  }

  result(): unknown {
    return this.input.toValue(this.value)
  }
}

/** Counts different values. */
class DistinctCount implements Accumulator {
  private readonly texts = new Set<string>()

  constructor(
    private readonly input: Reader,
    private readonly property: Property,
  ) {}

  add(row: Row): void {
    const value = this.input.read(row)
    if (value !== null) this.texts.add(operandText(value))
  }

  result(): unknown {
    return numberAs(this.texts.size, this.property)
  }
}
