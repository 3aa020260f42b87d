/** Compares the responses of two servers. */
import { isDeepStrictEqual } from 'node:util'

const withoutTimes = (text) => text.replace(/<updated>[^<]*<\/updated>/g, '<updated/>')
const withoutBoundary = (text) => text.replace(/(?:batch|changeset)response_[\w-]+/g, 'boundary')
const bodiesOf = (text) => text.match(/^\{.*\}\r?$/gm)?.map((body) => JSON.parse(body)) ?? []

/** Returns the compared bytes of a response, by its kind: without parts that differ between any two responses. */
const steadyBytes = {
  json: String,
  atom: withoutTimes,
  batch: withoutBoundary,
  metadata: String,
  bytes: String,
  csv: String,
}

/** Returns the compared values of a document whose bytes differ, by the kind of the response. */
const contents = {
  json: (text) => plain(JSON.parse(text)),
  // Only attributes need references for quotation marks.
  atom: (text) => withoutTimes(text).replaceAll('&quot;', '"'),
  batch: (text) => bodiesOf(text).map(plain),
  // Zeros at the end of a fraction of a second say nothing.
  csv: (text) => text.replace(/(?<=:\d\d)(?:\.0+|(\.\d*?)0+)(?=,)/g, '$1'),
}

/**
 * Values without what is particular to a server: links, whether numbers are quoted, digits that say nothing, whether
 * members stand in one order or another.
 */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value.results)) return plain(value.results)
    const members = Object.entries(value).filter(
      ([name, member]) => name !== '__metadata' && name !== '__count' && member?.__deferred === undefined,
    )
    return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]))
  }
  const date = typeof value === 'string' && /^\/Date\((-?\d+)(?:\+0000)?\)\/$/.exec(value)
  if (date) return Number(date[1])
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

/** @returns `same bytes`, `same values`, `own document`, or undefined when they say different things */
export function sameResponse(kind, wanted, given) {
  const [a, b] = [wanted, given].map(({ body }) => body.toString())
  if (kind === 'empty') return given.status === 204 && a + b === '' ? 'same bytes' : undefined
  if (![wanted, given].every(({ status }) => status >= 200 && status < 300) || b === '') return undefined
  if (steadyBytes[kind](a) === steadyBytes[kind](b)) return 'same bytes'
  if (kind === 'metadata') return 'own document'
  if (kind === 'bytes') return undefined
  return isDeepStrictEqual(contents[kind](a), contents[kind](b)) ? 'same values' : undefined
}
