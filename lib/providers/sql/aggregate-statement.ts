import type { Measure } from '../../edm/analytical-set.js'
import { Decimal, addDecimals, multiplyDecimals, parseDecimal } from '../../edm/decimal.js'
import type { Property } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { GroupingSpec } from '../../evaluation/aggregate.js'
import { resultOfMeasure } from '../../evaluation/aggregate.js'
import { ExactSum } from '../../evaluation/exact-sum.js'
import type { Row } from '../../evaluation/row.js'
import { setMember } from '../../evaluation/row.js'
import type { Column } from './column.js'
import type { ExactSumSql, SqlDialect } from './dialect.js'
import type { DriverRow } from './row-reader.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'

/** Thrown for values that the database cannot aggregate exactly. */
class UnsureValue extends Error {}

/** A column of the grouped table. */
export interface GroupedColumn {
  readonly column: Column
  readonly reference: Sql
  /** The form that the database compares like the service; undefined if the form does not exist. */
  readonly comparable: Sql | undefined
}

/** Returns the column of a property; undefined if the table has none. */
export type FindColumn = (property: Property) => GroupedColumn | undefined

type ReadValue = (row: DriverRow) => unknown

/** The select list of a statement that groups rows, and the values that its rows contain. */
export class AggregateStatement {
  readonly groups: Sql[] = []
  private readonly selected: Sql[] = []
  private readonly readers: (readonly [name: string, read: ReadValue])[] = []
  private readonly unsure: ReadValue[] = []

  private constructor(
    private readonly dialect: SqlDialect,
    private readonly columnOf: FindColumn,
  ) {}

  /** @returns undefined if the database would have other results than the service */
  static of(
    { groupBy, measures }: GroupingSpec,
    dialect: SqlDialect,
    columnOf: FindColumn,
  ): AggregateStatement | undefined {
    const statement = new AggregateStatement(dialect, columnOf)
    const isComplete =
      groupBy.every((property) => statement.addGroup(property)) &&
      measures.every((measure) => statement.addMeasure(measure))
    return isComplete ? statement : undefined
  }

  get selection(): Sql {
    return this.selected.length === 0 ? sql`1` : joined(this.selected, ', ')
  }

  /** Returns the groups; undefined if they contain values that the database cannot aggregate exactly. */
  rows(found: readonly DriverRow[]): readonly Row[] | undefined {
    try {
      return found.map((row) => this.group(row))
    } catch (error) {
      if (error instanceof UnsureValue) return undefined
      throw error
    }
  }

  private group(row: DriverRow): Row {
    if (this.unsure.some((read) => Number(read(row)) !== 0)) throw new UnsureValue()
    const group: Record<string, unknown> = {}
    for (const [name, read] of this.readers) setMember(group, name, read(row))
    return group
  }

  private addGroup(property: Property): boolean {
    const value = this.comparableOf(property)
    if (value === undefined) return false
    this.groups.push(value.sql)
    this.readers.push([property.name, this.value(value.sql, value.column)])
    return true
  }

  private addMeasure(measure: Measure): boolean {
    const read = this.measure(measure)
    if (read === undefined) return false
    const { property, unit } = measure
    const hasMixedUnits = unit === undefined ? () => false : this.mixedUnits(unit)
    if (hasMixedUnits === undefined) return false
    this.readers.push([
      property.name,
      (row) => (hasMixedUnits(row) ? null : resultOfMeasure(() => read(row), measure)),
    ])
    return true
  }

  private measure({ input, method, property }: Measure): ReadValue | undefined {
    const type = property.type as PrimitiveTypeName
    if (method === 'count') return this.count(sql`count(*)`, property)
    if (method === 'sum' || method === 'average') {
      const read = this.sum(input)
      if (read === undefined) return undefined
      return (row) => {
        const sum = read(row)
        if (sum === undefined) return null
        return method === 'sum' ? sum.sum(type, property.scale) : sum.average(type, property.scale)
      }
    }
    const value = this.comparableOf(input)
    if (value === undefined) return undefined
    if (method === 'countDistinct') return this.count(sql`count(distinct ${value.sql})`, property)
    return isOrdered(value.column) ? this.value(sql`${raw(method)}(${value.sql})`, value.column) : undefined
  }

  /** Reads a sum of the values; undefined without values. */
  private sum(input: Property): ((row: DriverRow) => ExactSum | undefined) | undefined {
    const found = this.columnOf(input)
    if (found === undefined) return undefined
    const { column, reference } = found
    const exact = this.dialect.sum?.(column, reference)
    if (exact === undefined) return undefined
    const count = this.select(sql`count(${reference})`)
    const parts = exact.parts.map(({ factor, sql: part }) => ({ factor, read: this.select(part) }))
    if (exact.unsure !== undefined) this.unsure.push(this.select(exact.unsure))
    return (row) => {
      const values = Number(count(row))
      return values === 0 ? undefined : ExactSum.of(total(row, parts, exact), values)
    }
  }

  private mixedUnits(unit: Property): ((row: DriverRow) => boolean) | undefined {
    const value = this.comparableOf(unit)
    if (value === undefined || !isOrdered(value.column)) return undefined
    const differ = this.select(sql`case when min(${value.sql}) <> max(${value.sql}) then 1 else 0 end`)
    const [known, all] = [this.select(sql`count(${value.sql})`), this.select(sql`count(*)`)]
    return (row) => {
      const count = Number(known(row))
      return Number(differ(row)) === 1 || (count > 0 && count < Number(all(row)))
    }
  }

  private comparableOf(property: Property): { readonly sql: Sql; readonly column: Column } | undefined {
    const { column, comparable } = this.columnOf(property) ?? {}
    if (column === undefined || comparable === undefined) return undefined
    return this.dialect.canGroup?.(column) === true ? { sql: comparable, column } : undefined
  }

  private count(expression: Sql, { scale, type }: Property): ReadValue {
    const read = this.select(expression)
    return (row) =>
      ExactSum.of(new Decimal(BigInt(Number(read(row))), 0), 1).sum(type as PrimitiveTypeName, scale)
  }

  /** Reads an expression that has values of a column. */
  private value(expression: Sql, column: Column): ReadValue {
    const { dialect } = this
    const read = this.select(dialect.selected(column, expression))
    const convert = dialect.reader(column)
    return (row) => {
      const value = read(row) ?? null
      return value === null || convert === undefined ? value : convert(value)
    }
  }

  private select(expression: Sql): ReadValue {
    const alias = `c${this.selected.length}`
    this.selected.push(sql`${expression} as ${raw(this.dialect.quote(alias))}`)
    return (row) => row[alias]
  }
}

function total(
  row: DriverRow,
  parts: readonly { readonly factor: bigint; readonly read: ReadValue }[],
  { scale }: ExactSumSql,
): Decimal {
  let sum = new Decimal(0n, 0)
  for (const { factor, read } of parts) {
    const part = parseDecimal(String(read(row)))
    // PostgreSQL has decimals that are not numbers.
    if (part === undefined) throw new UnsureValue()
    sum = addDecimals(sum, multiplyDecimals(part, new Decimal(factor, 0)))
  }
  return new Decimal(sum.coefficient, sum.scale + scale)
}

/** Returns true if the database supports `min` and `max` of a column. */
function isOrdered({ type }: Column): boolean {
  return type !== 'Edm.Guid' && type !== 'Edm.Boolean'
}
