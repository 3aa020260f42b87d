import type { EntityType } from '../edm/edm-model.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { SeekPosition } from '../query/entity-query.js'
import type { OrderByTerm } from '../query/expression.js'
import { ExpressionCompiler } from './compile-expression.js'
import type { ReadOperand } from './compile-path.js'
import type { EvaluationContext } from './evaluation-context.js'
import type { Row } from './row.js'

/** The operands of all terms of an order for one row. */
export type OrderKey = readonly (Operand | null)[]

type CompareOperands = (a: Operand | null, b: Operand | null) => number

interface CompiledTerm {
  readonly read: ReadOperand
  readonly compare: CompareOperands
  readonly toValue: (operand: Operand) => unknown
}

/**
 * A compiled `$orderby`. Null sorts before all values, and after them in descending order.
 *
 * @spec MS-ODATA 2.2.3.6.1.2
 */
export class RowOrder {
  private readonly terms: readonly CompiledTerm[]

  constructor(terms: readonly OrderByTerm[], type: EntityType, context: EvaluationContext) {
    const compiler = new ExpressionCompiler(type, context)
    this.terms = terms.map((term) => compileTerm(term, compiler))
  }

  keyOf(row: Row): OrderKey {
    return this.terms.map(({ read }) => read(row))
  }

  compareKeys(a: OrderKey, b: OrderKey): number {
    const { terms } = this
    // This loop runs for every comparison: an iterator would cost more than the comparison itself.
    for (let index = 0; index < terms.length; index++) {
      const result = terms[index]?.compare(a[index] ?? null, b[index] ?? null) ?? 0
      if (result !== 0) return result
    }
    return 0
  }

  /** Compares a row with a key, and reads no more terms than necessary. */
  compareRow(row: Row, key: OrderKey): number {
    const { terms } = this
    for (let index = 0; index < terms.length; index++) {
      const term = terms[index]
      const result = term === undefined ? 0 : term.compare(term.read(row), key[index] ?? null)
      if (result !== 0) return result
    }
    return 0
  }

  /** Returns the position of a row: the values of a `$skiptoken`. */
  positionOf(row: Row): SeekPosition {
    return this.terms.map(({ read, toValue }) => {
      const operand = read(row)
      return operand === null ? null : toValue(operand)
    })
  }

  /** Returns the key of a position in the order. */
  keyAt(position: SeekPosition, terms: readonly OrderByTerm[]): OrderKey {
    return position.map((value, index) => {
      const type = terms[index]?.expression.type
      if (value === null || typeof type !== 'string') return null
      return primitiveTypes[type].toOperand(value) ?? null
    })
  }
}

function compileTerm({ expression, descending }: OrderByTerm, compiler: ExpressionCompiler): CompiledTerm {
  const type = typeof expression.type === 'string' ? primitiveTypes[expression.type] : undefined
  const compare = nullsFirst(type?.compare ?? (() => 0))
  return {
    read: compiler.operand(expression),
    compare: descending ? (a, b) => compare(b, a) : compare,
    toValue: (operand) => type?.toValue(operand) ?? null,
  }
}

function nullsFirst(compare: (a: Operand, b: Operand) => number): CompareOperands {
  return (a, b) => {
    if (a === null) return b === null ? 0 : -1
    return b === null ? 1 : compare(a, b)
  }
}
