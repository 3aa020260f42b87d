import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Binary, Expression, OrderByTerm, Unary } from '../../query/expression.js'
import { factorsOf } from '../../query/can-fail.js'
import { operatorKinds } from '../../query/operator-types.js'
import type { SqlDialect, SqlValue } from './dialect.js'
import type { RelationalOperator } from '../../evaluation/compare-values.js'
import type { QueryScope } from './query-scope.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'

const symbols: Readonly<Record<RelationalOperator, string>> = { lt: '<', le: '<=', gt: '>', ge: '>=' }
const mirrored: Readonly<Record<RelationalOperator, RelationalOperator>> = {
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
}

/** Longer products could have more digits than a database has. The service limits their digits. */
const MAX_FACTORS = 8

/**
 * Compiles expressions to SQL; returns undefined for those that the database would evaluate differently.
 *
 * In OData a comparison is true or false and null equals null, but in SQL it can be null. Therefore a Boolean expression has
 * three translations: a condition that is true exactly when the expression is true, one that is true exactly when it is
 * false, and its value. The conditions may be null instead of false, which is the same in `where`, and are combined by `and`
 * and `or`, never by `not`.
 *
 * @spec MS-ODATA 2.2.3.6.1.1 (lifted operators, logical operators)
 */
export class SqlExpressionCompiler {
  constructor(
    private readonly scope: QueryScope,
    private readonly dialect: SqlDialect,
  ) {}

  /** Returns a condition that is true exactly when the expression is true. */
  isTrue(expression: Expression): Sql | undefined {
    if (expression.kind === 'Binary') {
      if (expression.operator === 'and' || expression.operator === 'or')
        return this.both(expression, (side) => this.isTrue(side), expression.operator)
      if (operatorKinds[expression.operator] !== 'arithmetic') return this.comparison(expression)
    }
    if (expression.kind === 'Unary' && expression.operator === 'not') return this.isFalse(expression.operand)
    const value = this.value(expression)
    // Databases cannot use an index for `is true`.
    if (expression.kind === 'Call') return value?.sql
    return value === undefined ? undefined : sql`(${value.sql} is true)`
  }

  /** Returns a condition that is true exactly when the expression is false. */
  isFalse(expression: Expression): Sql | undefined {
    if (expression.kind === 'Binary') {
      // De Morgan's laws.
      if (expression.operator === 'and') return this.both(expression, (side) => this.isFalse(side), 'or')
      if (expression.operator === 'or') return this.both(expression, (side) => this.isFalse(side), 'and')
      if (operatorKinds[expression.operator] !== 'arithmetic') {
        const holds = this.comparison(expression)
        return holds === undefined ? undefined : sql`(${holds} is not true)`
      }
    }
    if (expression.kind === 'Unary' && expression.operator === 'not') return this.isTrue(expression.operand)
    const value = this.value(expression)
    return value === undefined ? undefined : sql`(${value.sql} is false)`
  }

  value(expression: Expression): SqlValue | undefined {
    switch (expression.kind) {
      case 'Literal':
        return expression.type === null || expression.value === null
          ? { sql: raw('null'), type: expression.type, nullable: true, literal: { value: null, exact: true } }
          : this.dialect.literal(expression.value, expression.type)
      case 'PropertyPath':
        return this.scope.property(expression)
      case 'Unary':
        return this.unary(expression)
      case 'Binary':
        return this.binary(expression)
      case 'Call': {
        const parameters: SqlValue[] = []
        for (const [index, one] of expression.arguments.entries()) {
          const value = this.converted(one, expression.parameterTypes[index] ?? null)
          if (value === undefined) return undefined
          parameters.push(value)
        }
        return this.dialect.call(expression.name, parameters)
      }
      default:
        return undefined
    }
  }

  /** Returns the sort key of an order term. */
  orderValue({ expression }: OrderByTerm): SqlValue | undefined {
    const value = this.value(expression)
    if (value === undefined || value.type === null) return undefined
    const comparable = this.dialect.comparable(value, value.type)
    return comparable === undefined ? undefined : { ...value, sql: comparable }
  }

  private both(
    { left, right }: Binary,
    translate: (side: Expression) => Sql | undefined,
    operator: 'and' | 'or',
  ): Sql | undefined {
    const a = translate(left)
    const b = a === undefined ? undefined : translate(right)
    return a === undefined || b === undefined ? undefined : sql`(${joined([a, b], ` ${operator} `)})`
  }

  private unary({ operator, operand, type }: Unary): SqlValue | undefined {
    const value = this.value(operand)
    if (value === undefined) return undefined
    if (operator === 'not')
      return { sql: sql`(not ${value.sql})`, type: 'Edm.Boolean', nullable: value.nullable }
    const zero = this.dialect.literal(type === 'Edm.Int64' ? 0n : type === 'Edm.Decimal' ? '0' : 0, type)
    // 0 - 0 is not -0.
    if (zero === undefined || type === 'Edm.Double' || type === 'Edm.Single') return undefined
    return this.dialect.arithmetic('sub', zero, value, type)
  }

  private binary(expression: Binary): SqlValue | undefined {
    const { operator, left, right, type } = expression
    const kind = operatorKinds[operator]
    if (kind === 'arithmetic') {
      if (factorsOf(expression) > MAX_FACTORS) return undefined
      const a = this.value(left)
      const b = a === undefined ? undefined : this.value(right)
      if (a === undefined || b === undefined || a.type === null || b.type === null) return undefined
      return this.dialect.arithmetic(operator as 'add', a, b, type)
    }
    if (kind !== 'logical') {
      const holds = this.comparison(expression)
      return holds && { sql: sql`(${holds} is true)`, type: 'Edm.Boolean', nullable: false }
    }
    const a = this.value(left)
    const b = a === undefined ? undefined : this.value(right)
    if (a === undefined || b === undefined) return undefined
    return {
      sql: sql`(${joined([a.sql, b.sql], ` ${operator} `)})`,
      type: 'Edm.Boolean',
      nullable: a.nullable || b.nullable,
    }
  }

  /** Returns a condition that is true exactly when a comparison is true; otherwise it is false or null. */
  private comparison({ operator, left, right, operandType }: Binary): Sql | undefined {
    if (left.kind === 'EntityPath' || right.kind === 'EntityPath') {
      const path = left.kind === 'EntityPath' ? left : right
      const key = path.kind === 'EntityPath' ? this.scope.entity(path) : undefined
      return key && sql`(${key} ${raw(operator === 'eq' ? 'is null' : 'is not null')})`
    }
    const a = this.value(left)
    const b = a === undefined ? undefined : this.value(right)
    if (a === undefined || b === undefined) return undefined
    if (operator === 'eq' || operator === 'ne') return this.equality(operator, a, b, operandType)
    return this.relation(operator as RelationalOperator, a, b, operandType)
  }

  private equality(
    operator: 'eq' | 'ne',
    a: SqlValue,
    b: SqlValue,
    type: PrimitiveTypeName | null,
  ): Sql | undefined {
    if (isNull(a) || isNull(b)) {
      const other = isNull(a) ? b : a
      const test = operator === 'eq' ? 'is null' : 'is not null'
      return isNull(other) ? raw(operator === 'eq' ? '(1 = 1)' : '(1 = 0)') : sql`(${other.sql} ${raw(test)})`
    }
    if (type === null) return undefined
    const special = this.columnComparison('eq', a, b, type)
    const equal = special ?? this.plainEquality(a, b, type)
    if (equal === undefined) return undefined
    return operator === 'eq' ? equal : sql`(${equal} is not true)`
  }

  private plainEquality(a: SqlValue, b: SqlValue, type: PrimitiveTypeName): Sql | undefined {
    const compared = this.operands(a, b, type)
    if (compared === undefined) return undefined
    const [x, y] = compared
    // A null-safe comparison cannot use an index.
    const equal = a.nullable && b.nullable ? this.dialect.isSame(x, y) : sql`(${x} = ${y})`
    const isNumber = this.dialect.exceptNaN?.(a)
    return isNumber === undefined ? equal : sql`(${equal} and ${isNumber})`
  }

  private operands(a: SqlValue, b: SqlValue, type: PrimitiveTypeName): readonly [Sql, Sql] | undefined {
    if (this.dialect.canCompare?.(a, b) === false) return undefined
    const x = this.dialect.comparable(a, type)
    const y = x && this.dialect.comparable(b, type)
    return x && y && [x, y]
  }

  private relation(
    operator: RelationalOperator,
    a: SqlValue,
    b: SqlValue,
    type: PrimitiveTypeName | null,
  ): Sql | undefined {
    if (isNull(a) || isNull(b)) return raw('(1 = 0)')
    if (type === null) return undefined
    const special =
      a.column === undefined
        ? this.columnComparison(mirrored[operator], b, a, type)
        : this.columnComparison(operator, a, b, type)
    if (special !== undefined) return special
    const compared = this.operands(a, b, type)
    if (compared === undefined) return undefined
    const [x, y] = compared
    const greater = operator === 'gt' || operator === 'ge' ? a : b
    const holds = sql`${x} ${raw(symbols[operator])} ${y}`
    const isNumber = this.dialect.exceptNaN?.(greater)
    return isNumber === undefined ? sql`(${holds})` : sql`(${holds} and ${isNumber})`
  }

  private columnComparison(
    operator: 'eq' | RelationalOperator,
    a: SqlValue,
    b: SqlValue,
    type: PrimitiveTypeName,
  ): Sql | undefined {
    const [column, other] = a.column === undefined ? [b, a] : [a, b]
    if (column.column === undefined || other.literal === undefined) return undefined
    return this.dialect.columnComparison?.(operator, column, other.literal.value, type)
  }

  /** Converts an argument to the type of the parameter. */
  private converted(expression: Expression, type: PrimitiveTypeName | null): SqlValue | undefined {
    const value = this.value(expression)
    if (value === undefined || type === null || value.type === type || value.type === null) return value
    const comparable = this.dialect.comparable(value, type)
    return (
      comparable && {
        sql: comparable,
        type,
        nullable: value.nullable,
        ...(value.bits === undefined ? {} : { bits: value.bits }),
      }
    )
  }
}

function isNull({ literal }: SqlValue): boolean {
  return literal !== undefined && literal.value === null
}
