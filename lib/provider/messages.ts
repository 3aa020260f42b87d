import { didYouMean } from '../errors/suggestions.js'

/**
 * How serious a message is, from a confirmation to an error.
 *
 * @example const severity: MessageSeverity = 'warning'
 */
export type MessageSeverity = 'success' | 'info' | 'warning' | 'error'

/**
 * A message for the user of a client, without details.
 *
 * @example const details: MessageDetail[] = [{ code: 'SHOP/018', message: 'Two are reserved.', severity: 'info' }]
 */
export interface MessageDetail {
  /** Code for programs: `SHOP/017`. */
  readonly code: string
  /** Text for users. */
  readonly message: string
  /** How clients present the message. */
  readonly severity: MessageSeverity
  /** Path of the property that the message is about, relative to the entity of the request: `Lines(1)/Quantity`. */
  readonly target?: string | undefined
}

/**
 * A message for the user of a client, with optional details.
 *
 * @example
 * const message: Message = {
 *   code: 'SHOP/017',
 *   message: 'Stock is low.',
 *   severity: 'warning',
 *   target: 'Stock',
 * }
 * const hooks: EntityHooks = { beforeUpdate: (changes, current, { messages }) => messages.add(message) }
 */
export interface Message extends MessageDetail {
  /** Messages that explain this one. */
  readonly details?: readonly MessageDetail[] | undefined
}

/**
 * Collects messages of hooks, functions and providers for the user of the client.
 *
 * @example
 * const confirm = (messages: Messages) =>
 *   messages.add({ code: 'SHOP/001', message: 'The order was sent.', severity: 'success' })
 */
export interface Messages {
  /**
   * Adds a message. Successful responses carry it in the header `sap-message`, errors in `innererror` unless its severity
   * is `success`. Messages that are added after the response has begun are lost.
   *
   * @param message code, text, severity and optionally target and details
   * @throws TypeError for an invalid message
   * @example call.messages.add({ code: 'STOCK', message: 'Only 3 are left.', severity: 'warning', target: 'Stock' })
   */
  add(message: Message): void
}

const severities: readonly unknown[] = ['success', 'info', 'warning', 'error'] satisfies MessageSeverity[]

/** The messages of one request, in order. */
export class MessageList implements Messages {
  readonly all: Message[] = []

  add(message: Message): void {
    const { details, ...outer } = copyMessage(message)
    if (details !== undefined && !Array.isArray(details))
      throw invalidMessage('details must be an array of messages')
    this.all.push(details === undefined ? outer : { ...outer, details: details.map(copyMessage) })
  }

  /** Removes all messages after the first `count`. */
  truncateTo(count: number): void {
    this.all.length = Math.min(this.all.length, count)
  }
}

/** Lists messages and their details, each message before its details. */
export function flatMessages(messages: readonly Message[]): readonly MessageDetail[] {
  return messages.flatMap(({ details = [], ...outer }) => [outer, ...details])
}

/** Validates and copies a message: the caller may modify its own object later. */
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

function invalidMessage(reason: string): TypeError {
  return new TypeError(`messages.add: ${reason.replace(/[^.?]$/, '$&.')}`)
}
