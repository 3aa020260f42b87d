import { isRecord } from '../../util/is-record.js'
import type { AuditResponse } from './response.js'
import { CheckFailure } from './response.js'

/** Thrown by checks that cannot judge this service. The message is the reason. */
export class CheckSkipped extends Error {
  override readonly name = 'CheckSkipped'
}

export function skip(reason: string): never {
  throw new CheckSkipped(reason)
}

/** Fails the check unless the condition is true. @param response by default the last response of the check */
export function assert(condition: boolean, message: string, response?: AuditResponse): asserts condition {
  if (!condition) throw new CheckFailure(message, response)
}

/** Compares two values by their JSON. @param what subject of the error message */
export function assertEqual(what: string, actual: unknown, expected: unknown): void {
  const isEqual = JSON.stringify(actual) === JSON.stringify(expected)
  assert(isEqual, `${what} must be ${preview(expected)}, not ${preview(actual)}.`)
}

export function assertStatus(response: AuditResponse, ...statuses: readonly number[]): void {
  const { status } = response
  assert(statuses.includes(status), `The status must be ${statuses.join(' or ')}, not ${status}.`, response)
}

/** Asserts a status 4xx: the service must report an error of the client, and neither fail nor accept the request. */
export function assertClientError(response: AuditResponse): void {
  const { status } = response
  assert(status >= 400 && status < 500, `The status must be 4xx, not ${status}.`, response)
}

/** Accepts 501 too, for services that do not implement a feature. */
export function assertRejected(response: AuditResponse): void {
  if (response.status !== 501) assertClientError(response)
}

/** Compares the media type without its parameters. */
export function assertMediaType(response: AuditResponse, ...expected: readonly string[]): void {
  const actual = response.header('content-type') ?? ''
  assert(
    expected.includes(response.mediaType.essence),
    `The Content-Type must be ${expected.join(' or ')}, not '${actual}'.`,
    response,
  )
}

export function assertObject(value: unknown, what: string): Record<string, unknown> {
  assert(isRecord(value), `${what} must be a JSON object, not ${preview(value)}.`)
  return value
}

export function assertArray(value: unknown, what: string): readonly unknown[] {
  assert(Array.isArray(value), `${what} must be a JSON array, not ${preview(value)}.`)
  return value as readonly unknown[]
}

export function assertString(value: unknown, what: string): string {
  assert(typeof value === 'string', `${what} must be a string, not ${preview(value)}.`)
  return value
}

/** Returns the JSON of a value, truncated for messages. */
export function preview(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value)
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`
}
