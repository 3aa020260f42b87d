import { didYouMean } from '../../errors/suggestions.js'
import { allChecks } from './all-checks.js'
import { AuditRun } from './audit-run.js'
import { AuditedService } from './audited-service.js'
import type { Check, CheckDescription } from './check.js'
import type { AuditReport, CheckResult, AuditExchange } from './report.js'
import { countOutcomes } from './report.js'
import type { Transport, TransportLimits } from './transport.js'
import { fetchTransport, nodeTransport, TransportError } from './transport.js'
import { Answer } from './answer.js'
import { CheckFailure, CheckSkipped } from './check-outcome.js'

/** More of a body does not stand in a report. */
const shownBody = 800

/** Headers of an answer that say something about the protocol. */
const shownHeaders = ['content-type', 'dataserviceversion', 'etag', 'location', 'allow', 'content-length']

/** How a service is audited. */
export interface AuditOptions {
  /** Sent with every request to the service: `{ Authorization: 'Bearer ...' }`. They never stand in the report. */
  readonly headers?: Readonly<Record<string, string>>
  /** Makes, changes and deletes entities of its own too. Default: false, nothing is changed. */
  readonly write?: boolean
  /** Milliseconds for one answer. Default: 30,000. */
  readonly timeout?: number
  /** Bytes that one answer may have. Default: 16 MiB. */
  readonly maximumBytes?: number
  /** How many checks run at the same time, where nothing is changed. Default: 4. */
  readonly concurrency?: number
  /** Identifiers of checks, or how they begin: `ODATA-FILTER`, `ODATA-META-001`. Default: all. */
  readonly checks?: readonly string[]
  /** Sends the requests. Default: Node itself, which sends addresses as they are written. */
  readonly fetch?: typeof globalThis.fetch
  /** Ends the audit; it rejects with the reason. */
  readonly signal?: AbortSignal
  /** Told of every check when it is over, in the order in which they end. */
  readonly onCheck?: (result: CheckResult, done: number, all: number) => void
}

/**
 * An audit that could not begin: there is no service, or the options mean nothing.
 *
 * @example
 * await auditService('northwind.edmx') // AuditError: 'northwind.edmx' is no address of a service: ...
 */
export class AuditError extends Error {
  override readonly name = 'AuditError'
}

/** All requirements that can be checked, in the order of the report. @spec MS-ODATA 2.2 */
export const auditChecks: readonly CheckDescription[] = allChecks.map(
  ({ id, level, title, spec, writes }) => ({
    id,
    level,
    title,
    spec,
    writes,
  }),
)

/**
 * Checks whether a service keeps to the protocol, version 2.
 *
 * The service is taken as it is: from its metadata document and from some of its entities the audit chooses what it
 * asks for. What the service has no place for is left out, with the reason. Without `write` nothing is changed.
 *
 * @param url the root of the service
 * @param options headers, what is checked, and how long it may take
 * @returns the outcome of every check; a service that does not conform is no error
 * @throws AuditError when nothing answers there, or when the options mean nothing
 * @example
 * const report = await auditService('http://localhost:4004/shop/', { write: true })
 * console.log(formatReport(report, 'text'))
 * @spec MS-ODATA 2.2
 */
export async function auditService(url: string, options: AuditOptions = {}): Promise<AuditReport> {
  const { headers = {}, write = false, concurrency = 4, signal, onCheck = () => undefined } = options
  const root = rootOf(url)
  const chosen = chosenChecks(options.checks, write)
  const start = performance.now()
  const date = new Date().toISOString()
  const transport = transportOf(options, concurrency)
  const results = new Map<Check, CheckResult>()
  try {
    const service = new AuditedService(root, transport, headers)
    await demandAnswer(service)
    const run = async (check: Check): Promise<void> => {
      signal?.throwIfAborted()
      const result = await runCheck(check, new AuditRun(service))
      signal?.throwIfAborted()
      results.set(check, result)
      onCheck(result, results.size, chosen.length)
    }
    await inParallel(
      chosen.filter(({ writes }) => !writes),
      concurrency,
      run,
    )
    // Those that change something would disturb the others, and each other.
    for (const one of chosen.filter(({ writes }) => writes)) await run(one)
  } finally {
    transport.close()
  }
  const checks = chosen.flatMap((one) => results.get(one) ?? [])
  const counts = { MUST: countOutcomes(checks, 'MUST'), SHOULD: countOutcomes(checks, 'SHOULD') }
  const duration = Math.round(performance.now() - start)
  return { service: root, date, duration, conforms: counts.MUST.failed === 0, counts, checks }
}

function rootOf(url: string): string {
  const isAddress = /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(url) && URL.canParse(url)
  if (!isAddress) {
    throw new AuditError(
      `'${url}' is no address of a service: it must be such as http://localhost:4004/shop/.`,
    )
  }
  return url.endsWith('/') ? url : `${url}/`
}

function chosenChecks(prefixes: readonly string[] | undefined, write: boolean): readonly Check[] {
  const known = allChecks.map(({ id }) => id)
  for (const prefix of prefixes ?? []) {
    if (known.some((id) => id.startsWith(prefix))) continue
    const areas = new Set([...known, ...known.map((id) => id.replace(/-\d+$/, ''))])
    throw new AuditError(`There is no check '${prefix}'.${didYouMean(prefix, areas)}`)
  }
  return allChecks.filter(
    ({ id, writes }) => (write || !writes) && (prefixes?.some((prefix) => id.startsWith(prefix)) ?? true),
  )
}

function transportOf(options: AuditOptions, connections: number): Transport {
  const { timeout = 30_000, maximumBytes = 16 * 1024 * 1024, signal, fetch } = options
  const limits: TransportLimits = { timeout, maximumBytes, signal }
  return fetch === undefined ? nodeTransport(limits, connections) : fetchTransport(limits, fetch)
}

/** Without a service every check would fail. */
async function demandAnswer(service: AuditedService): Promise<void> {
  try {
    const document = await service.send({ method: 'GET', url: service.root, headers: {} })
    const { status } = document
    if (status === 401 || status === 403) {
      throw new AuditError(
        `${service.root} answers with ${status}: it wants to know who asks. Give it a header such as Authorization.`,
      )
    }
    if (!isService(document) && !(await hasMetadata(service))) {
      throw new AuditError(
        `No OData service found at ${service.root}: it returned status ${status} and no DataServiceVersion header, and ${service.root}$metadata is not a metadata document. Pass the service root, such as http://localhost:4004/shop/.`,
      )
    }
  } catch (error) {
    if (error instanceof TransportError) throw new AuditError(`${service.root}: ${error.message}`)
    throw error
  }
}

function isService(document: Answer): boolean {
  // Audit a failing service too: the report shows its errors.
  if (document.status >= 500) return true
  return document.status === 200 && document.header('dataserviceversion') !== undefined
}

async function hasMetadata(service: AuditedService): Promise<boolean> {
  try {
    const { status, text } = await service.send({
      method: 'GET',
      url: `${service.root}$metadata`,
      headers: {},
    })
    return status === 200 && text.includes('Edmx')
  } catch {
    // Report the first response, which failed as well.
    return false
  }
}

async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const work = async (): Promise<void> => {
    for (const item of waiting) await run(item)
  }
  await Promise.all(Array.from({ length: Math.max(1, limit) }, work))
}

/** Runs a check, and puts away what it has made, whatever comes of it. */
async function runCheck({ run, ...description }: Check, audit: AuditRun): Promise<CheckResult> {
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
