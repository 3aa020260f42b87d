import { Answer } from './answer.js'
import type { AuditRun } from './audit-run.js'
import type { Check } from './check.js'
import { CheckFailure, CheckSkipped } from './check-outcome.js'
import type { AuditExchange, CheckResult } from './report.js'
import { TransportError } from './transport.js'

/** More of a body does not stand in a report. */
const shownBody = 800

/** Headers of an answer that say something about the protocol. */
const shownHeaders = ['content-type', 'dataserviceversion', 'etag', 'location', 'allow', 'content-length']

/** Runs a check, and puts away what it has made, whatever comes of it. */
export async function runCheck({ run, ...description }: Check, audit: AuditRun): Promise<CheckResult> {
  const start = performance.now()
  let outcome: Pick<CheckResult, 'outcome' | 'reason' | 'exchange'>
  try {
    await run(audit)
    outcome = { outcome: 'passed' }
  } catch (error) {
    outcome = outcomeOf(error, audit)
  }
  if (description.writes) {
    await cleanUp(audit)
  }
  const duration = Math.round((performance.now() - start) * 10) / 10
  return { ...description, ...outcome, requests: audit.answers.length, duration }
}

/** What cannot be put away is not what the check is about. */
async function cleanUp(audit: AuditRun): Promise<void> {
  try {
    await audit.cleanUp()
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  }
}

function outcomeOf(
  error: unknown,
  { answers }: AuditRun,
): Pick<CheckResult, 'outcome' | 'reason' | 'exchange'> {
  if (error instanceof CheckSkipped) return { outcome: 'skipped', reason: error.message }
  const isForeseen = error instanceof CheckFailure || error instanceof TransportError
  // One answer that nobody has thought of must not take the whole report away.
  const reason = isForeseen ? error.message : `What came cannot be understood: ${String(error)}`
  const shown =
    error instanceof CheckFailure && error.answer instanceof Answer ? error.answer : answers.at(-1)
  const failure = { outcome: 'failed' as const, reason }
  return shown === undefined ? failure : { ...failure, exchange: exchangeOf(shown) }
}

function exchangeOf(answer: Answer): AuditExchange {
  const { method, url, headers, body } = answer.request
  const sent = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (body !== undefined) sent.push('', shortened(typeof body === 'string' ? body : `${body.length} bytes`))
  const received = [`${answer.status}`]
  for (const name of shownHeaders) {
    const value = answer.header(name)
    if (value !== undefined) received.push(`${name}: ${value}`)
  }
  if (answer.text !== '') received.push('', shortened(answer.text))
  return { request: sent.join('\n'), answer: received.join('\n') }
}

function shortened(text: string): string {
  // Nothing in a report may steer a terminal.
  const plain = text.replace(/\r\n/g, '\n').replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd')
  return plain.length <= shownBody ? plain : `${plain.slice(0, shownBody)}...`
}
