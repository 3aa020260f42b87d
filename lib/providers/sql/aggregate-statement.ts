import { Decimal, parseDecimal } from '../../edm/decimal.js'
import type { Property } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { GroupingProperty, GroupMeasure } from '../../evaluation/aggregate.js'
import { ExactSum } from '../../evaluation/exact-sum.js'
import type { Row } from '../../evaluation/row.js'
import { setMember } from '../../evaluation/row.js'
import type { GroupPage } from '../../provider/pushdown.js'
import type { OrderByTerm, PropertyPath } from '../../query/expression.js'
import type { Column } from './column.js'
import type { ExactSumSql, SqlOrderKey, SqlDialect } from './dialect.js'
import type { DriverRow } from './driver-rows.js'
import type { SeekTerm } from './seek-condition.js'
import { keysOfValue, seekCondition, seekTerm } from './seek-condition.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'
import { where } from './where-clause.js'

/** Thrown for values that the database cannot aggregate exactly. */
class UnsureValue extends Error {}

/** A column of the grouped tables. */
interface GroupedColumn {
  readonly column: Column
  readonly reference: Sql
  /** The form that the database compares like the service; undefined if the form does not exist. */
  readonly comparable: Sql | undefined
}

/** Returns the column at the end of a path; undefined if the tables have none. */
type FindColumn = (path: PropertyPath) => GroupedColumn | undefined

type ReadValue = (row: DriverRow) => unknown

/** A measure in the statement: how it is read, and how groups are sorted by it. */
interface MeasureSql {
  readonly read: ReadValue
  /** Undefined if the database cannot sort by its value. */
  readonly key: SqlOrderKey | undefined
  /** The selected column that has the value of the key, if it exists. */
  readonly selected?: Sql
  /** An expression that is not 0 if the order may not be exact. */
  readonly unsure?: Sql | undefined
}

/** The sum of the values of a group. */
interface Total {
  readonly exact: ExactSumSql
  /** The column of the inner select that has the sum. */
  readonly selected: Sql
  readonly read: (row: DriverRow) => ExactSum | undefined
}

/** The test whether the values of a group have different units. */
interface MixedUnits {
  readonly condition: Sql
  readonly read: (row: DriverRow) => boolean
}

/**
 * A statement that groups rows, and the values that its rows contain. An inner select groups in the forms that the database
 * compares, and an outer one converts them, sorts and pages.
 */
export class AggregateStatement {
  private readonly groups: Sql[] = []
  private readonly inner: Sql[] = []
  private readonly outer: Sql[] = []
  private readonly readers: (readonly [name: string, read: ReadValue])[] = []
  private readonly unsure: ReadValue[] = []
  private readonly order: SeekTerm[] = []

  private constructor(
    private readonly query: GroupPage,
    private readonly dialect: SqlDialect,
    private readonly columnOf: FindColumn,
  ) {}

  /** @returns undefined if the database would have other results than the service */
  static of(query: GroupPage, dialect: SqlDialect, columnOf: FindColumn): AggregateStatement | undefined {
    const statement = new AggregateStatement(query, dialect, columnOf)
    return statement.isComplete() ? statement : undefined
  }

  /** Returns the statement. @param rows the clauses `from` and `where` of the grouped rows */
  text(rows: Sql): Sql {
    const { dialect, groups, order, outer, query } = this
    const by = groups.length === 0 ? sql` having count(*) > 0` : sql` group by ${joined(groups, ', ')}`
    const grouped = sql`(select ${listOf(this.inner, sql`count(*) as c`)} ${rows}${by}) as g`
    if (query.countOnly === true) return sql`select count(*) as ${raw(dialect.quote('n'))} from ${grouped}`
    const after = query.seek === undefined ? [] : [seekCondition(order)]
    const terms = order.map(({ descending, nullable, sql: key }) =>
      dialect.orderTerm(key, nullable, descending),
    )
    const sorted = terms.length === 0 ? sql`` : sql` order by ${joined(terms, ', ')}`
    // Rows after a position are not all groups.
    const isCounted = query.count === true && query.seek === undefined
    const total = isCounted ? [sql`count(*) over () as ${raw(dialect.quote('n'))}`] : []
    return sql`select ${listOf([...outer, ...total], sql`1 as c`)} from ${grouped}${where(after)}${sorted}${dialect.page(query.top, query.skip)}`
  }

  /** Returns the groups; undefined if they contain values that the database cannot aggregate exactly. */
  rows(found: readonly DriverRow[]): readonly Row[] | undefined {
    // A position compared with sums that are not exact may exclude all groups.
    if (found.length === 0 && this.query.seek !== undefined && this.unsure.length > 0) return undefined
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

  private isComplete(): boolean {
    const { groupBy, measures, orderBy = [], seek } = this.query
    const keys = new Map<string, SqlOrderKey | undefined>()
    for (const property of groupBy) {
      const key = this.addGroup(property)
      if (key === undefined) return false
      keys.set(property.property.name, key)
    }
    const sorted = new Set(orderBy.map(nameOfTerm))
    for (const measure of measures) {
      const added = this.addMeasure(measure, sorted.has(measure.property.name))
      if (added === undefined) return false
      keys.set(measure.property.name, added.key)
    }
    return orderBy.every((term, index) => {
      const key = keys.get(nameOfTerm(term) ?? '')
      if (key !== undefined) this.order.push(seekTerm(key, term.descending, seek?.[index]))
      return key !== undefined
    })
  }

  private addGroup({ path, property }: GroupingProperty): SqlOrderKey | undefined {
    const found = this.groupKey(path)
    if (found === undefined) return undefined
    const { column, key } = found
    this.groups.push(key)
    this.readers.push([property.name, this.value(key, column)])
    const selected = { sql: this.lastReference(), type: column.type, nullable: true }
    return keysOfValue(this.dialect, selected)[0]
  }

  private addMeasure(measure: GroupMeasure, isSorted: boolean): MeasureSql | undefined {
    const { property, unit } = measure
    const own = this.measure(measure)
    const mixed = unit === undefined ? undefined : this.mixedUnits(unit)
    if (own === undefined || (unit !== undefined && mixed === undefined)) return undefined
    const read: ReadValue = (row) => (mixed?.read(row) === true ? null : own.read(row))
    this.readers.push([property.name, read])
    const { key, selected, unsure } = own
    if (!isSorted || key === undefined) return { read, key: undefined }
    // The place of a group depends on the values of all groups.
    if (unsure !== undefined) this.unsure.push(this.select(sql`max(${unsure}) over ()`))
    if (mixed === undefined && selected !== undefined) return { read, key: { ...key, sql: selected } }
    const value =
      mixed === undefined ? key.sql : sql`case when ${mixed.condition} then null else ${key.sql} end`
    const nullable = key.nullable || mixed !== undefined
    return { read, key: { ...key, nullable, sql: this.selectKey(value) } }
  }

  private measure({ input, method, property }: GroupMeasure): MeasureSql | undefined {
    if (method === 'count') return this.count(sql`count(*)`, property)
    if (input === undefined) return undefined
    if (method === 'sum') return this.sum(input, property)
    if (method === 'average') return this.average(input, property)
    const found = this.groupKey(input)
    if (found === undefined) return undefined
    const { column, key } = found
    if (method === 'countDistinct') return this.count(sql`count(distinct ${key})`, property)
    if (!isOrdered(column)) return undefined
    const value = sql`${raw(method)}(${key})`
    const keys = keysOfValue(this.dialect, { sql: value, type: column.type, nullable: true })
    return { read: this.value(value, column), key: keys.length === 1 ? keys[0] : undefined }
  }

  private sum(input: PropertyPath, property: Property): MeasureSql | undefined {
    const total = this.total(input)
    if (total === undefined) return undefined
    const { exact, read, selected } = total
    return {
      read: (row) => read(row)?.sum(property.type as PrimitiveTypeName, property.scale) ?? null,
      key: isRounded(exact, input, property) ? undefined : exact.orderKey,
      selected,
      unsure: exact.unsure?.(exact.sql),
    }
  }

  private average(input: PropertyPath, property: Property): MeasureSql | undefined {
    const total = this.total(input, (reference) => this.select(sql`count(${reference})`))
    return (
      total && {
        read: (row) => total.read(row)?.average(property.type as PrimitiveTypeName, property.scale) ?? null,
        // The database would divide with fewer digits.
        key: undefined,
      }
    )
  }

  /**
   * Reads a sum of the values; undefined if it is null, as without values.
   *
   * @param counting selects the number of values
   */
  private total(input: PropertyPath, counting?: (reference: Sql) => ReadValue): Total | undefined {
    const found = this.columnOf(input)
    if (found === undefined) return undefined
    const { column, reference } = found
    const exact = this.dialect.sum?.(column, reference)
    if (exact === undefined) return undefined
    const count = counting?.(reference)
    const sum = this.select(exact.sql, exact.digits)
    const selected = this.lastReference()
    // A second copy of the expression would take the database longer to parse.
    if (exact.unsure !== undefined) this.unsure.push(this.selectOuter(exact.unsure(selected)))
    return {
      exact,
      selected,
      read: (row) => {
        const digits = sum(row)
        if (digits === null) return undefined
        return ExactSum.of(totalOf(digits, exact), count === undefined ? 1 : Number(count(row)))
      },
    }
  }

  private mixedUnits(unit: PropertyPath): MixedUnits | undefined {
    const found = this.groupKey(unit)
    if (found === undefined || !isOrdered(found.column)) return undefined
    const { key } = found
    const condition = sql`(min(${key}) <> max(${key}) or (count(${key}) > 0 and count(${key}) < count(*)))`
    const read = this.select(sql`case when ${condition} then 1 else 0 end`)
    return { condition, read: (row) => Number(read(row)) === 1 }
  }

  private groupKey(path: PropertyPath): { readonly key: Sql; readonly column: Column } | undefined {
    const { column, comparable } = this.columnOf(path) ?? {}
    const key = column && comparable && this.dialect.groupKey?.(column, comparable)
    return column && key && { key, column }
  }

  private count(expression: Sql, { scale, type }: Property): MeasureSql {
    const read = this.select(expression)
    const name = type as PrimitiveTypeName
    const keys = keysOfValue(this.dialect, { sql: expression, type: name, nullable: false })
    return {
      read: (row) => ExactSum.of(new Decimal(BigInt(Number(read(row))), 0), 1).sum(name, scale),
      key: keys.length === 1 ? keys[0] : undefined,
    }
  }

  /** Reads an expression that has values of a column, in the form that the database compares. */
  private value(expression: Sql, column: Column): ReadValue {
    const { dialect } = this
    const read = this.select(
      expression,
      (reference) => dialect.groupValue?.(column, reference) ?? dialect.selected(column, reference),
    )
    const convert = dialect.reader(column)
    return (row) => {
      const value = read(row) ?? null
      return value === null || convert === undefined ? value : convert(value)
    }
  }

  private select(expression: Sql, convert: (reference: Sql) => Sql = (reference) => reference): ReadValue {
    const alias = this.addInner(expression)
    this.outer.push(sql`${convert(this.lastReference())} as ${raw(this.dialect.quote(alias))}`)
    return (row) => row[alias]
  }

  /** @param expression of columns of the inner select */
  private selectOuter(expression: Sql): ReadValue {
    const alias = `o${this.outer.length}`
    this.outer.push(sql`${expression} as ${raw(this.dialect.quote(alias))}`)
    return (row) => row[alias]
  }

  private selectKey(expression: Sql): Sql {
    this.addInner(expression)
    return this.lastReference()
  }

  private addInner(expression: Sql): string {
    const alias = `c${this.inner.length}`
    this.inner.push(sql`${expression} as ${raw(this.dialect.quote(alias))}`)
    return alias
  }

  /** Returns the column of the inner select that was added last. */
  private lastReference(): Sql {
    return raw(`g.${this.dialect.quote(`c${this.inner.length - 1}`)}`)
  }
}

function listOf(selected: readonly Sql[], ifEmpty: Sql): Sql {
  return selected.length === 0 ? ifEmpty : joined(selected, ', ')
}

function nameOfTerm({ expression }: OrderByTerm): string | undefined {
  return expression.kind === 'PropertyPath' && expression.steps.length === 0
    ? expression.property.name
    : undefined
}

function totalOf(digits: unknown, { scale }: ExactSumSql): Decimal {
  const sum = parseDecimal(String(digits))
  // PostgreSQL has decimals that are not numbers.
  if (sum === undefined) throw new UnsureValue()
  return new Decimal(sum.coefficient, sum.scale + scale)
}

/** Returns true if different sums may have the same value in the property. */
function isRounded(
  { digitsAfterPoint }: ExactSumSql,
  input: PropertyPath,
  { scale, type }: Property,
): boolean {
  if (type === 'Edm.Double' || type === 'Edm.Single' || digitsAfterPoint === undefined) return true
  if (type !== 'Edm.Decimal') return input.type === 'Edm.Decimal'
  return scale !== undefined && scale < digitsAfterPoint
}

/** Returns true if the database has `min` and `max` of a column. */
function isOrdered({ type }: Column): boolean {
  return type !== 'Edm.Guid' && type !== 'Edm.Boolean'
}
