import { callReference } from './reference-functions.js'
import type { DecimalValue, NumberType, ReferenceValue, Some, WholeValue } from './reference-values.js'
import {
  beside,
  commonType,
  compared,
  converted,
  fraction,
  fromRow,
  isWhole,
  moment,
  clockOf,
  natural,
} from './reference-values.js'

/** A type as the evaluator sees it: simple properties, and the types of the other properties. */
export interface ReferenceType {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, () => ReferenceType>>
}

/**
 * Evaluates an expression for a row while it reads the text from left to right: one function for each rule of the
 * grammar. It shares no code with the library, so that the two can be compared.
 *
 * @spec MS-ODATA 2.2.3.6.1.1
 */
export function evaluateReference(text: string, row: unknown, type: ReferenceType): ReferenceValue {
  return new Interpreter(text, row, type).whole()
}

const binaryLevels = [
  ['or'],
  ['and'],
  ['eq', 'ne'],
  ['lt', 'gt', 'le', 'ge'],
  ['add', 'sub'],
  ['mul', 'div', 'mod'],
]

class Interpreter {
  private at = 0

  constructor(
    private readonly text: string,
    private readonly row: unknown,
    private readonly type: ReferenceType,
  ) {}

  whole(): ReferenceValue {
    const value = this.level(0)
    this.take(/[ \t]*/y)
    if (this.at < this.text.length) throw new Error(`Not understood: ${this.text.slice(this.at)}`)
    return natural(value)
  }

  private level(index: number): ReferenceValue {
    const operators = binaryLevels[index]
    if (operators === undefined) return this.unary()
    let left = this.level(index + 1)
    for (;;) {
      const operator = this.take(new RegExp(`[ \\t]+(?:${operators.join('|')})[ \\t]+`, 'y'))?.trim()
      if (operator === undefined) return left
      left = binary(operator, left, this.level(index + 1))
    }
  }

  private unary(): ReferenceValue {
    this.take(/[ \t]*/y)
    if (this.take(/not(?=[ \t(])/y) !== undefined) {
      const value = this.unary()
      return value === null ? null : boolean(!truth(value))
    }
    const literal = this.literal()
    if (literal !== undefined) return literal
    if (this.take(/-/y) !== undefined) return negated(natural(this.unary()))
    return this.primary()
  }

  private primary(): ReferenceValue {
    if (this.take(/\(/y) !== undefined) {
      const value = this.level(0)
      this.close()
      return value
    }
    const name = this.take(/\w+/y)
    if (name === undefined) throw new Error(`An operand is missing: ${this.text.slice(this.at)}`)
    if (this.take(/[ \t]*\(/y) === undefined) return this.path(name)
    const values: ReferenceValue[] = []
    do values.push(this.level(0))
    while (this.take(/[ \t]*,/y) !== undefined)
    this.close()
    if (name === 'isof' || name === 'cast') return this.typeFunction(name, values)
    return values.some((value) => value === null) ? null : callReference(name, values as Some[])
  }

  private close(): void {
    if (this.take(/[ \t]*\)/y) === undefined) throw new Error('A parenthesis is missing.')
  }

  private path(first: string): ReferenceValue {
    let place: unknown = this.row
    let type = this.type
    for (let name: string | undefined = first; name !== undefined; name = this.take(/\/\w+/y)?.slice(1)) {
      const simple = type.properties[name]
      place = (place as Record<string, unknown> | null | undefined)?.[name]
      if (simple !== undefined) return fromRow(place, simple)
      const member: (() => ReferenceType) | undefined = type.members[name]
      if (member === undefined) throw new Error(`Unknown name '${name}'.`)
      type = member()
    }
    return place === null || place === undefined ? null : { t: 'Entity', type: type.name }
  }

  private typeFunction(name: 'isof' | 'cast', values: readonly ReferenceValue[]): ReferenceValue {
    const given =
      values.length === 1 ? ({ t: 'Entity', type: this.type.name } as const) : natural(values[0] ?? null)
    const wanted = values.at(-1)
    if (wanted?.t !== 'String') throw new Error('A type is missing.')
    const type = wanted.v.replace('Edm.', '')
    if (name === 'isof')
      return boolean(given !== null && (given.t === 'Entity' ? given.type : given.t) === type)
    if (given === null || given.t === type) return given
    if (type !== 'String') return converted(given, type as NumberType)
    if (!isWhole(given) && given.t !== 'Boolean' && given.t !== 'Guid')
      throw new Error(`Not needed: ${given.t}`)
    return { t: 'String', v: String(given.v) }
  }

  private literal(): ReferenceValue | undefined {
    const word = this.take(/(?:null|true|false)(?!\w)/y)
    if (word !== undefined) return word === 'null' ? null : boolean(word === 'true')
    const special = this.take(/(?:Na[Nn]|-?INF)[DdFf]?(?!\w)/y)
    if (special !== undefined) return specialNumber(special)
    const number = this.take(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[lLmMdDfF]?/y)
    if (number !== undefined) return numberLiteral(number)
    const quoted = this.take(/(?:[A-Za-z]+)?'(?:[^']|'')*'/y)
    return quoted === undefined ? undefined : quotedLiteral(quoted)
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    this.at += found?.length ?? 0
    return found
  }
}

function boolean(v: boolean): Some {
  return { t: 'Boolean', v }
}

function truth(value: Some): boolean {
  if (value.t !== 'Boolean') throw new Error(`${value.t} is neither true nor false.`)
  return value.v
}

function specialNumber(text: string): Some {
  const number = text.startsWith('Na') ? 'NaN' : text.startsWith('-') ? '-Infinity' : 'Infinity'
  if (/^(?:NaN|-?INF)$/i.test(text)) return { t: 'Real', text: number }
  return { t: /f$/i.test(text) ? 'Single' : 'Double', v: Number(number) }
}

function numberLiteral(text: string): Some {
  const digits = text.replace(/[a-z]$/i, '')
  switch (text.slice(digits.length).toLowerCase()) {
    case 'l':
      return { t: 'Int64', v: BigInt(digits) }
    case 'm':
      return fraction(digits)
    case 'd':
      return { t: 'Double', v: Number(digits) }
    case 'f':
      return { t: 'Single', v: Math.fround(Number(digits)) }
    default:
      return { t: /[.e]/i.test(text) ? 'Real' : 'Integer', text }
  }
}

function quotedLiteral(text: string): ReferenceValue {
  const [prefix = '', ...rest] = text.split("'")
  const inner = rest.join("'").slice(0, -1)
  switch (prefix.toLowerCase()) {
    case '':
      return { t: 'String', v: inner.replaceAll("''", "'") }
    case 'guid':
      return { t: 'Guid', v: inner.toLowerCase() }
    case 'datetime':
      return moment(inner, 'DateTime')
    case 'datetimeoffset':
      return moment(inner, 'DateTimeOffset')
    case 'time':
      return { t: 'Time', v: clockOf(inner.replace(/[PTS]/g, '').replace(/[HM]/g, ':')) }
    default:
      return { t: 'Binary', v: inner.toLowerCase() }
  }
}

function negated(value: ReferenceValue): ReferenceValue {
  if (value === null) return null
  if (value.t === 'Decimal') return { ...value, n: -value.n }
  if (value.t === 'Double' || value.t === 'Single') return { t: 'Double', v: -value.v }
  if (!isWhole(value)) throw new Error(`${value.t} is no number.`)
  return { t: value.t === 'Int64' ? 'Int64' : 'Int32', v: -value.v }
}

function binary(operator: string, left: ReferenceValue, right: ReferenceValue): ReferenceValue {
  if (operator === 'and' || operator === 'or') {
    const decisive = operator === 'or'
    const sides = [left, right].map((side) => (side === null ? null : truth(side)))
    if (sides.includes(decisive)) return boolean(decisive)
    return sides.includes(null) ? null : boolean(!decisive)
  }
  if (left === null || right === null) {
    if (operator === 'eq') return boolean(left === right)
    if (operator === 'ne') return boolean(left !== right)
    return ['lt', 'gt', 'le', 'ge'].includes(operator) ? boolean(false) : null
  }
  const [a, b] = brought(left, right)
  return ['add', 'sub', 'mul', 'div', 'mod'].includes(operator)
    ? calculated(operator, a, b)
    : boolean(holds(operator, compared(a, b)))
}

/** Both sides in the type in which they meet. */
function brought(left: Some, right: Some): [Some, Some] {
  const a = natural(beside(left, right)) as Some
  const b = natural(beside(right, left)) as Some
  const isNumber = ({ t }: Some): boolean =>
    !['Boolean', 'String', 'Guid', 'Binary', 'Entity'].includes(t) && !/Time/.test(t)
  if (!isNumber(a) || !isNumber(b)) return [a, b]
  const type = commonType(a.t as NumberType, b.t as NumberType)
  return [converted(a, type), converted(b, type)]
}

function holds(operator: string, order: number | undefined): boolean {
  if (order === undefined) return operator === 'ne'
  const outcomes: Readonly<Record<string, boolean>> = {
    eq: order === 0,
    ne: order !== 0,
    lt: order < 0,
    le: order <= 0,
    gt: order > 0,
    ge: order >= 0,
  }
  return outcomes[operator] ?? false
}

function calculated(operator: string, a: Some, b: Some): ReferenceValue {
  if (a.t === 'Decimal' && b.t === 'Decimal') return withDecimals(operator, a, b)
  if (isWhole(a) && isWhole(b)) return withWholes(operator, a, b)
  const [x, y] = [(a as { v: number }).v, (b as { v: number }).v]
  const v = { add: x + y, sub: x - y, mul: x * y, div: x / y, mod: x % y }[operator] ?? Number.NaN
  return a.t === 'Single' ? { t: 'Single', v: Math.fround(v) } : { t: 'Double', v }
}

function withWholes(operator: string, { t, v: x }: WholeValue, { v: y }: WholeValue): ReferenceValue {
  const result = (v: bigint): ReferenceValue => ({ t, v })
  if (operator === 'add') return result(x + y)
  if (operator === 'sub') return result(x - y)
  if (operator === 'mul') return result(x * y)
  if (y === 0n) return null
  return result(operator === 'div' ? x / y : x % y)
}

function withDecimals(operator: string, a: DecimalValue, b: DecimalValue): ReferenceValue {
  const result = (n: bigint, d: bigint): ReferenceValue => ({ t: 'Decimal', n, d })
  if (operator === 'add') return result(a.n * b.d + b.n * a.d, a.d * b.d)
  if (operator === 'sub') return result(a.n * b.d - b.n * a.d, a.d * b.d)
  if (operator === 'mul') return result(a.n * b.n, a.d * b.d)
  if (b.n === 0n) return null
  if (operator === 'mod') return result((a.n * b.d) % (b.n * a.d), a.d * b.d)
  // The quotient to 28 fraction digits, rounded half to even.
  const scale = 10n ** 28n
  const [n, d] = b.n < 0n ? [-a.n * b.d * scale, -b.n * a.d] : [a.n * b.d * scale, b.n * a.d]
  const floor = n >= 0n ? n / d : -((-n + d - 1n) / d)
  const twice = 2n * (n - floor * d)
  const up = twice > d || (twice === d && floor % 2n !== 0n)
  return result(up ? floor + 1n : floor, scale)
}
