import { definitionSource, keySource } from '../../../csdl/print-model.js'
import { isPrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { Change } from './merge-definitions.js'
import { withChange } from './merge-definitions.js'
import type { CallNode, ListNode, MemberNode, SourceNode } from './parse-literal.js'
import { LiteralParser } from './parse-literal.js'

/** The source of a module after a change, or the reasons why its code cannot be changed. */
interface UpdatedSource {
  readonly text: string
  readonly problems: readonly string[]
}

/**
 * Changes the definition of a model in the source of a module. Everything else stays as it is: comments, code, the
 * order of members and their format.
 *
 * @param text the source of a module that calls `defineModel` once, with a literal
 * @param change of the definition
 * @param definition the definition before the change
 */
export function updateSource(text: string, change: Change, definition: unknown): UpdatedSource {
  const parser = new LiteralParser(text)
  try {
    const [call, ...others] = parser.argumentsOf('defineModel')
    if (call === undefined || others.length > 0)
      return { text, problems: ['the module does not have exactly one call of defineModel'] }
    const updater = new SourceUpdater(text, parser)
    const changed = updater.changed(call, change, definition, [])
    return {
      text: `${text.slice(0, call.start)}${changed}${text.slice(call.end)}`,
      problems: updater.problems,
    }
  } catch (error) {
    if (error instanceof SyntaxError) return { text, problems: [error.message] }
    throw error
  }
}

class SourceUpdater {
  readonly problems: string[] = []
  private readonly lineEnd: string

  constructor(
    private readonly text: string,
    private readonly parser: LiteralParser,
  ) {
    this.lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  }

  /** Returns the source of an expression after a change of the part of the definition that it is the source of. */
  changed(node: SourceNode, change: Change, part: unknown, path: readonly string[]): string {
    if (change.kind === 'set') return this.replaced(node, change.value, path)
    if (node.kind === 'call') return this.changedCall(node, change, part, path)
    if (node.kind !== 'other') return this.changedList(node, change, part, path)
    return this.failed(path, 'is not an object literal', node)
  }

  private failed(path: readonly string[], problem: string, { start, end }: SourceNode | MemberNode): string {
    this.problems.push(`${path.join('.')} ${problem}`)
    return this.text.slice(start, end)
  }

  private replaced(node: SourceNode, value: unknown, path: readonly string[]): string {
    const problem = this.reasonToKeep(node, node)
    if (problem !== undefined) return this.failed(path, problem, node)
    return this.source(value, path, node.start)
  }

  /** Returns why an expression cannot be removed: it contains code or comments. */
  private reasonToKeep(node: SourceNode, range: SourceNode | MemberNode): string | undefined {
    if (this.parser.hasComment(range)) return 'has a comment'
    return this.isLiteral(node) ? undefined : 'is computed by code'
  }

  private isLiteral(node: SourceNode): boolean {
    if (node.kind === 'call') return node.argument === undefined || this.isLiteral(node.argument)
    if (node.kind !== 'other')
      return node.members.every(({ name, value }) => name !== undefined && this.isLiteral(value))
    const source = this.text.slice(node.start, node.end)
    return /^(?:"[^"]*"|'[^']*'|-?[\d.]+|true|false|null)$/.test(source.replace(/\\[^]/g, ''))
  }

  private source(value: unknown, path: readonly string[], position: number): string {
    const column = position - this.lineStart(position)
    const source = definitionSource(value, path, column, this.indentAt(position))
    return source.replaceAll('\n', this.lineEnd)
  }

  /** Returns the indent of the line of a position. */
  private indentAt(position: number): string {
    return /^[ \t]*/.exec(this.text.slice(this.lineStart(position)))?.[0] ?? ''
  }

  private lineStart(position: number): number {
    return this.text.lastIndexOf('\n', position - 1) + 1
  }

  /** Changes a property, `edm.String({ maxLength: 40 })`. */
  private changedCall(
    node: CallNode,
    change: Change & { readonly kind: 'members' },
    part: unknown,
    path: readonly string[],
  ): string {
    const { argument, method } = node
    const { type, ...facets } = withChange(part, change) as { readonly type: string }
    if (!isPrimitiveTypeName(type)) return this.replaced(node, { type, ...facets }, path)
    const members = new Map([...change.members].filter(([name]) => name !== 'type'))
    const start = `${this.text.slice(node.start, method.start)}${type.replace('Edm.', '')}`
    if (argument !== undefined) {
      const inside = this.changed(argument, { ...change, members }, part, path)
      return `${start}${this.text.slice(method.end, argument.start)}${inside}${this.text.slice(argument.end, node.end)}`
    }
    const source = members.size === 0 ? '' : this.source(facets, [], node.end)
    return `${start}${this.text.slice(method.end, node.end - 1)}${source})`
  }

  private changedList(
    node: ListNode,
    change: Change & { readonly kind: 'members' },
    part: unknown,
    path: readonly string[],
  ): string {
    const members = node.members.flatMap((member) => {
      const one = member.name === undefined ? undefined : change.members.get(member.name)
      return this.changedMember(member, one, part, path)
    })
    this.addMembers(members, node, change, path)
    return this.text.slice(node.start, node.end).includes('\n')
      ? this.severalLines(node, members)
      : this.oneLine(node, members)
  }

  private changedMember(
    member: MemberNode,
    change: Change | undefined,
    part: unknown,
    path: readonly string[],
  ): WrittenMember[] {
    const { name, value, start, end, valueEnd, comma } = member
    const tail = this.text.slice(valueEnd, end)
    const written = { name, tail, hasComma: comma !== undefined }
    if (name === undefined || change === undefined)
      return [{ ...written, source: this.text.slice(start, valueEnd) }]
    const inner = [...path, name]
    if (change.kind === 'set' && change.value === undefined) {
      const problem = this.reasonToKeep(value, member)
      if (problem !== undefined) this.failed(inner, `${problem}, but is not in the source`, member)
      return []
    }
    const changed = this.changed(value, change, (part as Readonly<Record<string, unknown>>)[name], inner)
    return [
      {
        ...written,
        source: this.text.slice(start, value.start) + changed + this.text.slice(value.end, valueEnd),
      },
    ]
  }

  /** Adds new members after the member that precedes them in the imported definition. */
  private addMembers(
    members: WrittenMember[],
    node: ListNode,
    { members: changes, order }: Change & { readonly kind: 'members' },
    path: readonly string[],
  ): void {
    const existing = new Set(node.members.map(({ name }) => name))
    const sorted = [...changes].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    for (const [name, change] of sorted) {
      if (existing.has(name)) continue
      if (change.kind !== 'set' || change.value === undefined) {
        this.failed([...path, name], 'is not in the literal of the definition', node)
        continue
      }
      const before = order.slice(0, order.indexOf(name))
      const index = members.findLastIndex(
        (member) => member.name !== undefined && before.includes(member.name),
      )
      const [first] = node.members
      const isInline = !this.text.slice(node.start, node.end).includes('\n')
      const indent = first === undefined ? `${this.indentAt(node.start)}  ` : this.indentAt(first.value.start)
      const start = `${isInline ? ' ' : `${this.lineEnd}${indent}`}${keySource(name)}: `
      const source = definitionSource(change.value, [...path, name], start.length, indent)
      members.splice(index + 1, 0, {
        name,
        source: start + source.replaceAll('\n', this.lineEnd),
        tail: ',',
        hasComma: true,
      })
    }
  }

  private oneLine(
    { kind, members: before, start, end }: ListNode,
    members: readonly WrittenMember[],
  ): string {
    const [open, close] = kind === 'object' ? ['{ ', ' }'] : ['[', ']']
    const parts = members.map(({ source, tail }) => `${source}${tail.replace(',', '')}`.trim())
    const rest = this.text.slice(before.at(-1)?.end ?? start + 1, end - 1).trim()
    if (parts.length === 0 && rest === '') return open.trim() + close.trim()
    return `${open}${parts.join(', ')}${rest === '' ? '' : ` ${rest}`}${close}`
  }

  private severalLines({ members: before, start, end }: ListNode, members: readonly WrittenMember[]): string {
    const sources = members.map(({ source, tail, hasComma }, index) => {
      const needsComma = !hasComma && index < members.length - 1
      return `${source}${needsComma ? ',' : ''}${tail}`
    })
    const rest = this.text.slice(before.at(-1)?.end ?? start + 1, end)
    return `${this.text.charAt(start)}${sources.join('')}${rest}`
  }
}

/** A member in the changed source: with blanks and comments before it, and with its comma and comments after it. */
interface WrittenMember {
  readonly name: string | undefined
  readonly source: string
  readonly tail: string
  readonly hasComma: boolean
}
