import { didYouMean } from '../errors/suggestions.js'

/** How grave a message is. */
export type MessageSeverity = 'success' | 'info' | 'warning' | 'error'

/** One thing to be told to the user of a client. */
export interface MessageDetail {
  /** For programs: `SHOP/017`. */
  readonly code: string
  /** For people. */
  readonly message: string
  readonly severity: MessageSeverity
  /** What it is about, as a path from the entity of the request: `Price`, or `Lines(1)/Quantity`. */
  readonly target?: string | undefined
}

/** A message, perhaps with others that belong to it. */
export interface Message extends MessageDetail {
  /** Messages that belong to it. */
  readonly details?: readonly MessageDetail[] | undefined
}

/** Where hooks, functions and providers leave what a client is to be told beside the answer itself. */
export interface Messages {
  /**
   * Adds a message. An answer that succeeds carries it in the header `sap-message`; an error carries it in its
   * `innererror`, unless it says that something succeeded. After the answer has begun nobody hears it any more.
   *
   * @throws TypeError for what is no message
   * @example call.messages.add({ code: 'STOCK', message: 'Only 3 are left.', severity: 'warning', target: 'Stock' })
   */
  add(message: Message): void
}

const severities: readonly unknown[] = ['success', 'info', 'warning', 'error'] satisfies MessageSeverity[]

/** The messages of one request, in the order in which they came. */
export class MessageList implements Messages {
  readonly all: Message[] = []

  add(message: Message): void {
    const { details, ...outer } = copyMessage(message)
    if (details !== undefined && !Array.isArray(details))
      throw invalidMessage('details must be an array of messages')
    this.all.push(details === undefined ? outer : { ...outer, details: details.map(copyMessage) })
  }

  /** Takes back what was said after the first so many messages. */
  truncateTo(count: number): void {
    this.all.length = Math.min(this.all.length, count)
  }
}

/** Each message before those that belong to it. */
export function flatMessages(messages: readonly Message[]): readonly MessageDetail[] {
  return messages.flatMap(({ details = [], ...outer }) => [outer, ...details])
}

/** A copy, which nobody can change behind our back. */
function copyMessage(given: Message): Message {
  if (typeof given !== 'object' || (given as unknown) === null)
    throw invalidMessage('a message must be an object')
  const { code, message, severity, target, details } = given
  checkText('code', code)
  checkText('message', message)
  if (target !== undefined) checkText('target', target)
  if (!severities.includes(severity)) {
    const hint = didYouMean(String(severity), severities as readonly string[])
    throw invalidMessage(
      `severity must be one of ${severities.join(', ')}, not '${String(severity)}'.${hint}`,
    )
  }
  return {
    code,
    message,
    severity,
    ...(target === undefined ? {} : { target }),
    ...(details === undefined ? {} : { details }),
  }
}

function checkText(name: string, value: unknown): void {
  if (typeof value !== 'string') throw invalidMessage(`${name} must be a string, not ${typeof value}`)
}

function invalidMessage(fault: string): TypeError {
  return new TypeError(`messages.add: ${fault.replace(/[^.?]$/, '$&.')}`)
}
