import type { Message } from '../provider/messages.js'
import { flatMessages } from '../provider/messages.js'

/** Replaces the end of a truncated text. */
const ELLIPSIS = '...'

/**
 * Formats the header `sap-message`: the first message, with all others as its details. Characters outside ASCII are
 * escaped as in JSON, `\u20ac`. Details that exceed the limit are omitted.
 *
 * @param messages at least one
 * @param maxLength the maximum number of characters
 * @returns undefined when not even the first message fits
 */
export function messageHeader(messages: readonly Message[], maxLength: number): string | undefined {
  const [first, ...others] = flatMessages(messages)
  if (first === undefined) return undefined
  const start = outerStart(first, maxLength)
  if (start === undefined) return undefined
  let details = ''
  for (const one of others) {
    const next = (details === '' ? '' : ',') + asciiJson(one)
    if (start.length + details.length + next.length + end.length > maxLength) break
    details += next
  }
  return start + details + end
}

const end = ']}'

/** Formats the outer message up to its details. Truncates its text if necessary. */
function outerStart(first: Message, maxLength: number): string | undefined {
  const startWith = (message: string): string =>
    `${asciiJson({ ...first, message }).slice(0, -1)},"details":[`
  const room = maxLength - end.length
  const whole = startWith(first.message)
  if (whole.length <= room) return whole
  // An escaped character takes up to six characters.
  let length = Math.max(0, Math.floor((room - startWith(ELLIPSIS).length) / 6))
  while (length > 0 && !first.message.slice(0, length).isWellFormed()) length--
  const cut = startWith(first.message.slice(0, length) + ELLIPSIS)
  return cut.length <= room ? cut : undefined
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
