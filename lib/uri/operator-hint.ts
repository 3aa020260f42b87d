import { precedence } from './operators.js'
import type { Scanner } from './scanner.js'

/** What other languages write for the operators. */
const symbols: ReadonlyMap<string, string> = new Map([
  ['=', 'eq'],
  ['==', 'eq'],
  ['===', 'eq'],
  ['!=', 'ne'],
  ['!==', 'ne'],
  ['<>', 'ne'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['<=', 'le'],
  ['>=', 'ge'],
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
  ['+', 'add'],
  ['-', 'sub'],
  ['*', 'mul'],
  ['/', 'div'],
  ['%', 'mod'],
])
const symbol = /[=!<>&|]+|[+*/%-]+/y
const word = /[A-Za-z]+/y
const restOfDate = /^-\d\d-\d\d/
const quoted = /"([\p{L}\p{Nd} ]{1,20})"/uy

/**
 * What to write instead of what stands where an operator or the end was expected; empty where nobody can tell.
 *
 * @param others words that may stand there too, such as `desc`
 */
export function operatorHint(scanner: Scanner, others: readonly string[] = []): string {
  const { position } = scanner
  if (isDate(scanner)) return ". Dates are written datetime'2024-12-31T00:00:00'"
  scanner.skipSpace()
  const found = scanner.match(symbol) ?? scanner.match(word) ?? ''
  scanner.position = position
  const lower = found.toLowerCase()
  if (lower === 'in') return ". There is no 'in' in OData V2: write Name eq 'a' or Name eq 'b'"
  if (others.length > 0 && /^(?:asc|desc)ending$/.test(lower)) return meant(found, lower.slice(0, -6))
  const known = symbols.get(found) ?? [...Object.keys(precedence), ...others].find((one) => one === lower)
  return known === undefined || known === found ? '' : meant(found, known)
}

/** The year has been taken for a number, and what is behind it for subtractions. */
function isDate({ source, position }: Scanner): boolean {
  return (
    /\b\d{4}$/.test(source.slice(Math.max(0, position - 5), position)) &&
    restOfDate.test(source.slice(position, position + 6))
  )
}

/** The same where an operand was expected. */
export function operandHint(scanner: Scanner): string {
  const { position, source } = scanner
  if (source[position] === '!') return meant('!', 'not')
  if (source[position] !== '"') return ''
  const text = scanner.match(quoted)?.slice(1, -1) ?? 'x'
  scanner.position = position
  return `. Strings stand in single quotes: '${text}'.`
}

function meant(found: string, known: string): string {
  return `. '${found}' is no operator. Did you mean '${known}'?`
}
