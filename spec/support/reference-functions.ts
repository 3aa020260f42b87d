import type { DecimalValue, ReferenceValue, Some } from './reference-values.js'
import { converted, fieldsOf, isWhole, natural } from './reference-values.js'

type Fields = ReturnType<typeof fieldsOf>

/** The canonical functions of the reference evaluator; null arguments have been dealt with before. */
export function callReference(name: string, given: readonly Some[]): ReferenceValue {
  const values = given.map((value) => natural(value) as Some)
  const [first] = values
  if (first === undefined) throw new Error(`'${name}' has no arguments.`)
  const strings = values.map((value) => (value.t === 'String' ? value.v : ''))
  const [a = '', b = '', c = ''] = strings
  switch (name) {
    case 'substringof':
      return boolean(b.split(a).length > 1 || a === '')
    case 'startswith':
      return boolean(a.slice(0, b.length) === b)
    case 'endswith':
      return boolean(b.length <= a.length && a.slice(a.length - b.length) === b)
    case 'length':
      return { t: 'Int32', v: BigInt(a.length) }
    case 'indexof':
      return { t: 'Int32', v: BigInt(positionOf(a, b)) }
    case 'substring':
      return string(substring(a, wholeAt(values, 1) ?? 0, wholeAt(values, 2)))
    case 'replace':
      return string(b === '' ? a : a.split(b).join(c))
    case 'concat':
      return string(strings.reduce((left, right) => left + right))
    case 'tolower':
      return string(a.toLowerCase())
    case 'toupper':
      return string(a.toUpperCase())
    case 'trim':
      return string(a.replace(/^\p{White_Space}+/u, '').replace(/\p{White_Space}+$/u, ''))
    case 'round':
    case 'floor':
    case 'ceiling':
      return rounded(name, first)
    default:
      return { t: 'Int32', v: fieldsOf(localTicks(first))[name as keyof Fields] }
  }
}

function boolean(v: boolean): ReferenceValue {
  return { t: 'Boolean', v }
}

function string(v: string): ReferenceValue {
  return { t: 'String', v }
}

function positionOf(text: string, needle: string): number {
  for (let index = 0; index + needle.length <= text.length; index++) {
    if (text.slice(index, index + needle.length) === needle) return index
  }
  return -1
}

function wholeAt(values: readonly Some[], index: number): number | undefined {
  const value = values[index]
  return value === undefined || !isWhole(value) ? undefined : Number(value.v)
}

/** Characters whose first unit is within the range and whose last one is too. */
function substring(text: string, start: number, length = Number.POSITIVE_INFINITY): string {
  const from = Math.max(start, 0)
  const to = from + Math.max(length, 0)
  let unit = 0
  let result = ''
  for (const character of text) {
    if (unit >= from && unit + character.length <= to) result += character
    unit += character.length
  }
  return result
}

function rounded(name: 'round' | 'floor' | 'ceiling', value: Some): ReferenceValue {
  if (value.t === 'Double' || value.t === 'Single') return { t: 'Double', v: roundedDouble(name, value.v) }
  const { n, d } = converted(value, 'Decimal') as DecimalValue
  const floor = n >= 0n ? n / d : -((-n + d - 1n) / d)
  const ceiling = -(-n >= 0n ? -n / d : -((n + d - 1n) / d))
  const halfAway = n >= 0n ? (2n * n + d) / (2n * d) : -((-2n * n + d) / (2n * d))
  return { t: 'Decimal', n: { floor, ceiling, round: halfAway }[name], d: 1n }
}

function roundedDouble(name: 'round' | 'floor' | 'ceiling', value: number): number {
  if (name !== 'round') return Math[name === 'floor' ? 'floor' : 'ceil'](value)
  return Math.abs(value - Math.trunc(value)) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)
}

function localTicks(value: Some): bigint {
  if (value.t === 'DateTimeOffset') return value.v + BigInt(value.offset) * 600_000_000n
  if (value.t === 'DateTime' || value.t === 'Time') return value.v
  throw new Error(`${value.t} has no date and no time.`)
}
