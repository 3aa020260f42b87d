import { isRecord } from '../../util/is-record.js'
import type { Answer } from './answer.js'
import { CheckFailure } from './check-outcome.js'

/** Fails the check unless something is so. */
export function demand(condition: boolean, message: string, answer?: Answer): asserts condition {
  if (!condition) throw new CheckFailure(message, answer)
}

/** Demands one of some statuses. */
export function demandStatus(answer: Answer, ...statuses: readonly number[]): void {
  demand(
    statuses.includes(answer.status),
    `The status must be ${statuses.join(' or ')}, not ${answer.status}.`,
    answer,
  )
}

/** Demands that the service sees a fault in the request, not in itself, and does not overlook it. */
export function demandClientError(answer: Answer): void {
  const { status } = answer
  demand(status >= 400 && status < 500, `The status must be one of 4xx, not ${status}.`, answer)
}

/** The same, or that the service says that it does not have such a thing. */
export function demandRefusal(answer: Answer): void {
  if (answer.status !== 501) demandClientError(answer)
}

/** Demands the type of a body, without its parameters. */
export function demandMediaType(answer: Answer, ...essences: readonly string[]): void {
  const { mediaType } = answer
  demand(
    mediaType !== undefined && essences.includes(mediaType.essence),
    `The Content-Type must be ${essences.join(' or ')}, not '${answer.header('content-type') ?? ''}'.`,
    answer,
  )
}

/** A record of JSON; anything else fails the check. */
export function demandObject(value: unknown, what: string, answer?: Answer): Record<string, unknown> {
  demand(isRecord(value), `${what} must be a JSON object, not ${shown(value)}.`, answer)
  return value
}

export function demandArray(value: unknown, what: string, answer?: Answer): readonly unknown[] {
  demand(Array.isArray(value), `${what} must be a JSON array, not ${shown(value)}.`, answer)
  return value as readonly unknown[]
}

export function demandString(value: unknown, what: string, answer?: Answer): string {
  demand(typeof value === 'string', `${what} must be a string, not ${shown(value)}.`, answer)
  return value
}

/** A value as messages show it: never long. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`
}
