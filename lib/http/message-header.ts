import type { Message } from '../provider/messages.js'
import { flatMessages } from '../provider/messages.js'
import type { ODataResponse } from './odata-response.js'

/** An answer together with what else is to be told. */
export function withMessages(
  response: ODataResponse,
  messages: readonly Message[] | undefined,
  most: number,
): ODataResponse {
  const value = messages === undefined ? undefined : messageHeader(messages, most)
  return value === undefined
    ? response
    : { ...response, headers: { ...response.headers, 'sap-message': value } }
}

/** Stands where the end of a text is missing. */
const cutMark = '...'

/**
 * The value of the header `sap-message`: the first message, and all others as its details. It is ASCII text; other
 * characters are written as JSON does it, `\u20ac`. What is too much is left out from the end.
 *
 * @param messages at least one
 * @param most characters that it may have; undefined is returned when nothing of it fits
 */
export function messageHeader(messages: readonly Message[], most: number): string | undefined {
  const [first, ...others] = flatMessages(messages)
  if (first === undefined) return undefined
  const start = outerStart(first, most)
  if (start === undefined) return undefined
  let details = ''
  for (const one of others) {
    const next = (details === '' ? '' : ',') + asciiJson(one)
    if (start.length + details.length + next.length + end.length > most) break
    details += next
  }
  return start + details + end
}

const end = ']}'

/** The outer message up to its details. Its text is cut when it does not fit otherwise. */
function outerStart(first: Message, most: number): string | undefined {
  const startWith = (message: string): string =>
    `${asciiJson({ ...first, message }).slice(0, -1)},"details":[`
  const room = most - end.length
  const whole = startWith(first.message)
  if (whole.length <= room) return whole
  // A character takes up to six when it is escaped.
  let length = Math.max(0, Math.floor((room - startWith(cutMark).length) / 6))
  while (length > 0 && !first.message.slice(0, length).isWellFormed()) length--
  const cut = startWith(first.message.slice(0, length) + cutMark)
  return cut.length <= room ? cut : undefined
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
