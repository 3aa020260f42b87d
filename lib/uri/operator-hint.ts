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
const quoted = /"([\p{L}\p{Nd} ]{1,20})"/uy

/**
 * What to write instead of what stands where an operator or the end was expected; empty where nobody can tell.
 *
 * @param others words that may stand there too, such as `desc`
 */
export function operatorHint(scanner: Scanner, others: readonly string[] = []): string {
  const { position } = scanner
  scanner.skipSpace()
  const found = scanner.match(symbol) ?? scanner.match(word) ?? ''
  scanner.position = position
  const lower = found.toLowerCase()
  const known = symbols.get(found) ?? [...Object.keys(precedence), ...others].find((one) => one === lower)
  return known === undefined || known === found ? '' : meant(found, known)
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
