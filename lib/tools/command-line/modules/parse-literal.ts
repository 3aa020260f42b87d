/** An expression in the source of a module. Positions are those of its first character, and after its last one. */
export type SourceNode = ListNode | CallNode | OtherNode

interface Range {
  readonly start: number
  readonly end: number
}

/** The literal of an object or an array. */
export interface ListNode extends Range {
  readonly kind: 'object' | 'array'
  readonly members: readonly MemberNode[]
}

/** A call such as `edm.String({ maxLength: 40 })`, with at most one argument. */
export interface CallNode extends Range {
  readonly kind: 'call'
  /** The position of the name of the method. */
  readonly method: Range
  readonly argument: SourceNode | undefined
}

/** Any other expression. */
interface OtherNode extends Range {
  readonly kind: 'other'
}

/** A member of an object or array, with its comma and with comments before it and after it on its line. */
export interface MemberNode extends Range {
  /** The name, or the index in an array; undefined for spread members and methods. */
  readonly name: string | undefined
  readonly value: SourceNode
  /** The position after the value, and after its `as const`. */
  readonly valueEnd: number
  /** The position of the comma. */
  readonly comma: number | undefined
}

/** Parses the literals of a JavaScript or TypeScript module. Other code is skipped by its brackets, strings and comments. */
export class LiteralParser {
  private position = 0

  constructor(private readonly text: string) {}

  /**
   * Finds the arguments of all calls of a function.
   *
   * @throws SyntaxError
   */
  argumentsOf(name: string): readonly SourceNode[] {
    const call = new RegExp(`(?<![\\w$.])${name}\\s*\\(`, 'y')
    const found: SourceNode[] = []
    this.position = 0
    for (;;) {
      this.skipTrivia()
      if (this.position >= this.text.length) return found
      call.lastIndex = this.position
      if (call.test(this.text)) {
        this.position = call.lastIndex
        this.skipTrivia()
        found.push(this.parseValue().node)
      } else if (/[([{)\]}]/.test(this.next)) this.position += 1
      else this.skipToken()
    }
  }

  /** Returns true if a range contains a comment. */
  hasComment({ start, end }: Range): boolean {
    for (this.position = start; this.position < end;) {
      if (this.isComment()) return true
      if (/["'`]/.test(this.next)) this.skipToken()
      else this.position += 1
    }
    return false
  }

  private get next(): string {
    return this.text.charAt(this.position)
  }

  private isComment(): boolean {
    return this.text.startsWith('//', this.position) || this.text.startsWith('/*', this.position)
  }

  /** Skips an expression that is matched at the current position. */
  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.position
    if (!pattern.test(this.text)) return false
    this.position = pattern.lastIndex
    return true
  }

  private skipTrivia(): void {
    while (this.skip(/\s+|\/\/[^\n]*|\/\*[^]*?\*\//y));
  }

  /** Skips a string, a template, a regular expression, brackets with their content, a word or another character. */
  private skipToken(): void {
    if (this.next === '`') this.skipTemplate()
    else if (/[([{]/.test(this.next)) this.skipBrackets()
    else if (/["']/.test(this.next)) {
      if (!this.skip(/"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y)) throw this.unexpected()
    } else if (!(this.next === '/' && this.isOperand() && this.skip(REGULAR_EXPRESSION))) {
      if (!this.skip(/[\p{ID_Continue}$]+|[^]/uy)) throw this.unexpected()
    }
  }

  /** Returns true if an operand can follow, so that a slash starts a regular expression. */
  private isOperand(): boolean {
    return /(?:^|[(,=:[!&|?{};>+])\s*$/.test(this.text.slice(Math.max(0, this.position - 20), this.position))
  }

  private skipTemplate(): void {
    this.position += 1
    while (!this.skip(/`/y)) {
      if (this.skip(/\$\{/y)) {
        this.position -= 1
        this.skipBrackets()
      } else if (!this.skip(/\\[^]|[^]/y)) throw this.unexpected()
    }
  }

  private skipBrackets(): void {
    this.position += 1
    for (this.skipTrivia(); !/[)\]}]/.test(this.next); this.skipTrivia()) this.skipToken()
    this.position += 1
  }

  /** Parses an expression up to a comma or closing bracket. */
  private parseValue(): { readonly node: SourceNode; readonly end: number } {
    const node = this.parseNode()
    let end = this.position
    this.skipTrivia()
    if (this.isEnd()) return { node, end }
    const isAssertion = this.skip(/(?:as|satisfies)\b/y)
    for (; !this.isEnd(); this.skipTrivia()) {
      this.skipToken()
      end = this.position
    }
    return { node: isAssertion ? node : { kind: 'other', start: node.start, end }, end }
  }

  private isEnd(): boolean {
    if (this.next === '') throw this.unexpected()
    return /[,)\]}]/.test(this.next)
  }

  private parseNode(): SourceNode {
    const start = this.position
    if (this.next === '{') return this.parseList('object')
    if (this.next === '[') return this.parseList('array')
    return this.parseCall() ?? { kind: 'other', start, end: this.skipped(start) }
  }

  private skipped(start: number): number {
    this.position = start
    this.skipToken()
    return this.position
  }

  private parseCall(): CallNode | undefined {
    const start = this.position
    const pattern = /[\p{ID_Start}$_][\p{ID_Continue}$]*\.(\w+)\s*\(/uy
    pattern.lastIndex = start
    const [all, name] = pattern.exec(this.text) ?? []
    if (all === undefined || name === undefined) return undefined
    const method = start + all.indexOf('.') + 1
    this.position = pattern.lastIndex
    this.skipTrivia()
    const argument = this.next === ')' ? undefined : this.parseValue().node
    this.skip(/,\s*/y)
    if (this.next !== ')') return undefined
    this.position += 1
    const range = { start: method, end: method + name.length }
    return { kind: 'call', start, end: this.position, method: range, argument }
  }

  private parseList(kind: 'object' | 'array'): ListNode {
    const start = this.position
    const members: MemberNode[] = []
    this.position += 1
    for (let from = this.position; ; from = this.position) {
      this.skipTrivia()
      if (/[)\]}]/.test(this.next)) break
      const name = kind === 'array' ? String(members.length) : this.parseName()
      this.skipTrivia()
      const { node: value, end: valueEnd } = this.parseValue()
      const comma = this.next === ',' ? this.position : undefined
      this.position = comma === undefined ? valueEnd : comma + 1
      // Comments at the end of the line are about this member.
      this.skip(/[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/[ \t]*(?=\r?\n))/y)
      members.push({ name, value, valueEnd, comma, start: from, end: this.position })
    }
    this.position += 1
    return { kind, start, end: this.position, members }
  }

  /** Parses the name of a member and its colon. Returns undefined for members of other kinds. */
  private parseName(): string | undefined {
    const start = this.position
    if (this.skip(/\[\s*(?=["'])/y)) this.skipToken()
    else if (!/[[.*]/.test(this.next)) this.skipToken()
    const name = this.text.slice(start, this.position)
    this.skip(/\s*\]/y)
    this.skipTrivia()
    if (name !== '' && this.skip(/:/y)) return nameIn(name)
    this.position = start
    return undefined
  }

  private unexpected(): SyntaxError {
    const line = this.text.slice(0, this.position).split('\n').length
    return new SyntaxError(`line ${String(line)} has unexpected code`)
  }
}

const REGULAR_EXPRESSION = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y

/** Returns the name that a member has in the source: a word, a string, or `['__proto__'` without its bracket. */
function nameIn(source: string): string {
  const [, text] = /^(?:\[\s*)?["'](.*)["']$/s.exec(source) ?? []
  if (text === undefined) return source
  return text.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_all, code: string | undefined, one: string) =>
    code === undefined ? (controls[one] ?? one) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
