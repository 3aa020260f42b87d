import type { ODataErrorCode } from '../errors/error-codes.js'
import { ODataError } from '../errors/odata-error.js'
import { balanceExpression, heightOf } from './balance-expression.js'
import { parseLiteral } from './parse-literal.js'
import { Scanner } from './scanner.js'
import type {
  BinaryOperator,
  CallSyntax,
  ExpressionSyntax,
  LiteralSyntax,
  OrderBySyntax,
  PathSyntax,
} from './syntax-tree.js'

/** The operators of other languages, for suggestions. */
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

/** Limits of the cost of an expression. */
export interface ExpressionLimits {
  /** Maximum nesting depth of parentheses, calls and signs. Default: 100. */
  readonly expressionDepth: number
  /** Maximum number of operators, calls, literals and paths of an expression. Default: 5000. */
  readonly expressionNodes: number
}

/** Settings of one parse. */
export interface ParseOptions {
  /** The name of the query option for messages. Default: `$filter` */
  readonly label?: string
  readonly limits?: ExpressionLimits
  readonly code?: ODataErrorCode
  /** Values of the placeholders `\0index\0` in the text, which only applications can use. */
  readonly values?: readonly unknown[]
}

/**
 * Parses the expression of `$filter`. Uses precedence climbing for binary operators.
 *
 * @throws ODataError InvalidSystemQueryOption with the position of the error
 * @spec MS-ODATA 2.2.3.6.1.1.5
 */
export function parseFilter(source: string, options: ParseOptions = {}): ExpressionSyntax {
  const parser = new ExpressionParser(source, options)
  const expression = parser.expression()
  parser.end()
  return parser.limitHeight(expression)
}

/**
 * Parses the terms of `$orderby`.
 *
 *     orderby = term *( "," term )
 *     term = expression [ WS ( "asc" / "desc" ) ]
 */
export function parseOrderBy(source: string, options: ParseOptions = {}): OrderBySyntax[] {
  const parser = new ExpressionParser(source, { label: '$orderby', ...options })
  const terms: OrderBySyntax[] = []
  do terms.push(parser.orderByTerm())
  while (parser.comma())
  parser.end()
  return terms
}

const unlimited: ExpressionLimits = { expressionDepth: 1000, expressionNodes: Number.POSITIVE_INFINITY }
const operatorWord = /[a-z]+/y
const direction = /(?:asc|desc)(?!ending)/y
const placeholder = /\0(\d+)\0/y
// `not` is an operator, unless an operator follows it: in `not eq 1` it is the name of a property.
const notOperator =
  /not(?=[ \t\r\n(])(?![ \t\r\n]+(?:eq|ne|lt|gt|le|ge|add|sub|mul|div|mod|and|or)[ \t\r\n]+(?![ \t\r\n]|(?:eq|ne|lt|gt|le|ge|add|sub|mul|div|mod|and|or)[ \t\r\n]))/y

/** Expressions with fewer nodes cannot exceed the maximum height. */
const MAX_CHAIN_NODES = 200
/** Maximum number of operators in a chain such as `1 add 1 add 1`, in which each is nested in the next. */
const MAX_HEIGHT = 500

class ExpressionParser {
  private readonly scanner: Scanner
  private readonly limits: ExpressionLimits
  private readonly values: readonly unknown[] | undefined
  private ordering = false
  private depth = 0
  private nodes = 0

  constructor(source: string, { label = '$filter', limits = unlimited, code, values }: ParseOptions) {
    this.scanner = new Scanner(source, label, code)
    this.limits = limits
    this.values = values
  }

  /** Parses expression = WS binary WS */
  expression(): ExpressionSyntax {
    this.scanner.skipSpace()
    const expression = this.binary(1)
    this.scanner.skipSpace()
    return expression
  }

  orderByTerm(): OrderBySyntax {
    this.ordering = true
    const expression = this.expression()
    const word = this.scanner.isSeparated ? this.scanner.match(direction) : undefined
    this.scanner.skipSpace()
    return { expression: this.limitHeight(expression), descending: word === 'desc' }
  }

  /**
   * Limits the height of an expression. Chains of `and` and `or` are balanced first, so that only `expressionNodes`
   * limits their length.
   */
  limitHeight(expression: ExpressionSyntax): ExpressionSyntax {
    if (this.nodes <= MAX_CHAIN_NODES) return expression
    const balanced = balanceExpression(expression)
    const maxHeight = Math.max(MAX_HEIGHT, this.limits.expressionDepth)
    if (heightOf(balanced) > maxHeight) {
      throw this.tooMuch(`nests more than ${maxHeight} operators`, 'expressionDepth')
    }
    return balanced
  }

  comma(): boolean {
    return this.scanner.accept(',')
  }

  end(): void {
    if (this.scanner.atEnd) return
    const hint = operatorHint(this.scanner, this.ordering ? ['asc', 'desc'] : [])
    throw this.scanner.error(`Expected an operator or the end of the expression${hint}`)
  }

  /**
   * Parses binary = unary *( WS operator WS unary ), grouped by precedence. Clients omit blanks next to parentheses.
   */
  private binary(minimum: number): ExpressionSyntax {
    let left = this.unary()
    for (;;) {
      const before = this.scanner.position
      this.scanner.skipSpace()
      const operator = this.scanner.isSeparated ? this.operator(minimum) : undefined
      if (operator === undefined) {
        this.scanner.position = before
        return left
      }
      const right = this.binary(precedence[operator.name] + 1)
      left = this.node({ kind: 'Binary', operator: operator.name, left, right, position: operator.position })
    }
  }

  /** Reads an operator whose precedence is at least `minimum`, and the white space after it. */
  private operator(minimum: number): { name: BinaryOperator; position: number } | undefined {
    const { position } = this.scanner
    const word = this.scanner.match(operatorWord)
    if (word === undefined || !isBinaryOperator(word) || precedence[word] < minimum) return undefined
    if (this.scanner.insideWord) return undefined
    if (!this.scanner.skipSpace() && this.scanner.source[this.scanner.position] !== '(')
      throw this.scanner.error(`'${word}' must be followed by a space`)
    return { name: word, position }
  }

  /** Parses unary = ( "not" / "-" ) WS unary / primary */
  private unary(): ExpressionSyntax {
    const { position } = this.scanner
    if (++this.depth > this.limits.expressionDepth) {
      throw this.tooMuch(`is nested deeper than ${this.limits.expressionDepth}`, 'expressionDepth')
    }
    const expression = this.signed(position) ?? this.primary()
    this.depth--
    return expression
  }

  private signed(position: number): ExpressionSyntax | undefined {
    if (this.scanner.match(notOperator) !== undefined) {
      this.scanner.skipSpace()
      return this.node({ kind: 'Unary', operator: 'not', operand: this.unary(), position })
    }
    if (this.scanner.source[position] !== '-') return undefined
    // A sign before digits or INF belongs to the number.
    const negative = parseLiteral(this.scanner)
    if (negative !== undefined) return this.node(negative)
    this.scanner.position++
    this.scanner.skipSpace()
    return this.node({ kind: 'Unary', operator: '-', operand: this.unary(), position })
  }

  /** Parses primary = "(" expression ")" / literal / call / path */
  private primary(): ExpressionSyntax {
    if (this.scanner.accept('(')) {
      const inner = this.expression()
      if (!this.scanner.accept(')')) throw this.scanner.error(`Expected ')'${operatorHint(this.scanner)}`)
      return inner
    }
    const literal = this.value() ?? parseLiteral(this.scanner)
    return literal === undefined ? this.callOrPath() : this.node(literal)
  }

  private value(): LiteralSyntax | undefined {
    if (this.values === undefined) return undefined
    const { position } = this.scanner
    const index = this.scanner.match(placeholder)?.slice(1, -1)
    if (index === undefined) return undefined
    return { kind: 'Literal', form: 'Value', text: '', position, value: this.values[Number(index)] }
  }

  private callOrPath(): ExpressionSyntax {
    const { position } = this.scanner
    const name = this.scanner.identifier()
    if (name === undefined) {
      throw this.scanner.error(
        this.scanner.atEnd
          ? 'Expected an operand, but the expression ends'
          : `Expected an operand${operandHint(this.scanner)}`,
      )
    }
    const afterName = this.scanner.position
    this.scanner.skipSpace()
    if (this.scanner.accept('(')) return this.call(name, position)
    this.scanner.position = afterName
    return this.node(this.path([name], position))
  }

  /** Parses call = name "(" [ expression *( "," expression ) ] ")" [ "/" path ] */
  private call(name: string, position: number): ExpressionSyntax {
    const parameters: ExpressionSyntax[] = []
    this.scanner.skipSpace()
    if (!this.scanner.accept(')')) {
      do parameters.push(this.expression())
      while (this.scanner.accept(','))
      if (!this.scanner.accept(')')) {
        throw this.scanner.error(`Expected ',' or ')'${operatorHint(this.scanner)}`)
      }
    }
    const call: CallSyntax = this.node({ kind: 'Call', name, arguments: parameters, position })
    return this.scanner.accept('/') ? this.path([this.member()], position, call) : call
  }

  /** Parses path = name *( "/" name ) */
  private path(names: string[], position: number, root?: CallSyntax): PathSyntax {
    while (this.scanner.accept('/')) names.push(this.member())
    return { kind: 'Path', names, position, ...(root === undefined ? {} : { root }) }
  }

  private member(): string {
    const name = this.scanner.identifier()
    if (name === undefined) throw this.scanner.error("Expected a name after '/'")
    return name
  }

  private node<Node extends ExpressionSyntax>(node: Node): Node {
    if (++this.nodes > this.limits.expressionNodes) {
      throw this.tooMuch(
        `has more than ${this.limits.expressionNodes} operators and operands`,
        'expressionNodes',
      )
    }
    return node
  }

  private tooMuch(what: string, limit: string): ODataError {
    return new ODataError('LimitExceeded', {
      message: `${this.scanner.label}: The expression ${what}.`,
      details: { limit, position: this.scanner.position },
    })
  }
}

/**
 * Suggests a correction where an operator or the end was expected; returns an empty string without a suggestion.
 *
 * @param others other accepted words, such as `desc`
 */
function operatorHint(scanner: Scanner, others: readonly string[] = []): string {
  const { position } = scanner
  if (isDate(scanner)) return ". Write dates as datetime'2024-12-31T00:00:00'"
  const lambda = lambdaBefore(scanner)
  if (lambda !== undefined) return `. ${withoutLambda(lambda)}`
  scanner.skipSpace()
  const found = scanner.match(symbol) ?? scanner.match(word) ?? ''
  scanner.position = position
  const lower = found.toLowerCase()
  if (lower === 'in') return ". OData V2 has no operator 'in': write Name eq 'a' or Name eq 'b'"
  if (others.length > 0 && /^(?:asc|desc)ending$/.test(lower)) return meant(found, lower.slice(0, -6))
  const known = symbols.get(found) ?? [...Object.keys(precedence), ...others].find((one) => one === lower)
  return known === undefined || known === found ? '' : meant(found, known)
}

/** Returns true after a date without prefix, whose year was parsed as a number. */
function isDate({ source, position }: Scanner): boolean {
  return (
    /\b\d{4}$/.test(source.slice(Math.max(0, position - 5), position)) &&
    restOfDate.test(source.slice(position, position + 6))
  )
}

/** Returns the operator of OData V4 in front of a parenthesis: `Items/any(`. */
function lambdaBefore({ source, position }: Scanner): string | undefined {
  return source[position] === '(' ? /\/(any|all)$/.exec(source.slice(0, position))?.[1] : undefined
}

/** Suggests how to do without an operator of OData V4. */
export function withoutLambda(name: string): string {
  return `OData V2 has no '${name}': read the entity set of the related entities with a $filter of theirs`
}

/** Suggests a correction where an operand was expected. */
function operandHint(scanner: Scanner): string {
  const { position, source } = scanner
  if (source[position] === '!') return meant('!', 'not')
  if (source[position] !== '"') return ''
  const text = scanner.match(quoted)?.slice(1, -1) ?? 'x'
  scanner.position = position
  return `. Put strings in single quotes: '${text}'.`
}

function meant(found: string, known: string): string {
  return `. '${found}' is not an operator. Did you mean '${known}'?`
}

/**
 * Precedence of binary operators; higher binds tighter. All of them are left-associative.
 *
 * @spec MS-ODATA 2.2.3.6.1.1 (operator precedence)
 */
export const precedence: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  eq: 3,
  ne: 3,
  lt: 4,
  gt: 4,
  le: 4,
  ge: 4,
  add: 5,
  sub: 5,
  mul: 6,
  div: 6,
  mod: 6,
}

export function isBinaryOperator(word: string): word is BinaryOperator {
  return Object.hasOwn(precedence, word)
}
