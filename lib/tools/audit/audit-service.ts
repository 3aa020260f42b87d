import { didYouMean } from '../../errors/suggestions.js'
import { CheckSkipped } from './assertions.js'
import { AuditedService } from './audited-service.js'
import type { Check, CheckDescription } from './check.js'
import { AuditRun } from './check.js'
import { analyticsChecks } from './checks/analytics.js'
import { annotationChecks } from './checks/annotations.js'
import { atomFormatChecks } from './checks/atom-format.js'
import { batchChecks, changeSetChecks } from './checks/batch.js'
import { conditionalChangeChecks, conditionalReadChecks } from './checks/conditions.js'
import { entityChecks, entitySetChecks, keyPredicateChecks } from './checks/entities.js'
import { errorChecks, safetyChecks } from './checks/errors.js'
import { expandSelectChecks } from './checks/expand-select.js'
import { exportChecks, searchChecks } from './checks/sap-annotations.js'
import { filterFunctionChecks } from './checks/filter-functions.js'
import { filterOperatorChecks } from './checks/filter-operators.js'
import { filterTypeChecks } from './checks/filter-types.js'
import { functionImportChecks } from './checks/function-imports.js'
import { headerChecks } from './checks/headers.js'
import { jsonFormatChecks } from './checks/json-format.js'
import { metadataChecks, serviceDocumentChecks } from './checks/metadata.js'
import { linkChecks, navigationChecks } from './checks/navigation.js'
import { inlineCountChecks, pagingChecks } from './checks/paging.js'
import { propertyChecks } from './checks/properties.js'
import { queryOptionChecks } from './checks/query-options.js'
import { countChecks, mediaChecks, valueChecks } from './checks/raw-values.js'
import { invalidBodyChecks, leftoverChecks, writeChecks } from './checks/writes.js'
import type { AuditExchange, AuditReport, CheckResult } from './format-report.js'
import { countOutcomes } from './format-report.js'
import type { AuditResponse } from './response.js'
import { CheckFailure } from './response.js'
import type { Transport } from './transport.js'
import { createFetchTransport, createNodeTransport, TransportError } from './transport.js'

/** All checks in the order of the report. */
const allChecks: readonly Check[] = [
  ...serviceDocumentChecks,
  ...metadataChecks,
  ...annotationChecks,
  ...headerChecks,
  ...entitySetChecks,
  ...entityChecks,
  ...keyPredicateChecks,
  ...queryOptionChecks,
  ...filterOperatorChecks,
  ...filterTypeChecks,
  ...filterFunctionChecks,
  ...expandSelectChecks,
  ...pagingChecks,
  ...inlineCountChecks,
  ...countChecks,
  ...valueChecks,
  ...navigationChecks,
  ...linkChecks,
  ...propertyChecks,
  ...jsonFormatChecks,
  ...atomFormatChecks,
  ...exportChecks,
  ...analyticsChecks,
  ...searchChecks,
  ...functionImportChecks,
  ...mediaChecks,
  ...errorChecks,
  ...conditionalReadChecks,
  ...batchChecks,
  ...safetyChecks,
  ...writeChecks,
  ...conditionalChangeChecks,
  ...invalidBodyChecks,
  ...changeSetChecks,
  ...leftoverChecks,
]

/** Characters of a request or response body in the report. */
const MAX_BODY_LENGTH = 800

const reportedHeaders = [
  'content-type',
  'dataserviceversion',
  'etag',
  'location',
  'allow',
  'content-length',
] as const

/**
 * Options of `auditService`.
 *
 * @example
 * const options: AuditOptions = {
 *   headers: { Authorization: 'Bearer secret' },
 *   checks: ['ODATA-FILTER'],
 *   timeout: 5000,
 * }
 * const report = await auditService('http://localhost:4004/shop/', options)
 */
export interface AuditOptions {
  /**
   * Headers of every request to the service, for example `{ Authorization: 'Bearer ...' }`. Not part of the report.
   * Default: none.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** Also creates, updates and deletes entities; the audit changes only its own. Default: false. */
  readonly write?: boolean
  /** Milliseconds until a response must be complete. Default: 30,000. */
  readonly timeout?: number
  /** The maximum size of a response in bytes. Default: 16 MiB (16,777,216). */
  readonly maxBytes?: number
  /** The number of checks that run in parallel. Checks that change data run one after another. Default: 4. */
  readonly concurrency?: number
  /** IDs of checks or their prefixes: `ODATA-FILTER`, `ODATA-META-001`. Default: all. */
  readonly checks?: readonly string[]
  /** Sends the requests. Default: the HTTP client of Node, which sends addresses unchanged. */
  readonly fetch?: typeof globalThis.fetch
  /** Aborts the audit, which rejects with the reason. Default: none. */
  readonly signal?: AbortSignal
  /** Called after each check with its result, and the number of finished and of all checks. Default: not called. */
  readonly onCheck?: (result: CheckResult, done: number, all: number) => void
}

/**
 * The audit could not start: there is no service at the address, or an option is invalid.
 *
 * @example
 * await auditService('northwind.edmx') // AuditError: 'northwind.edmx' is not the address of a service. ...
 */
export class AuditError extends Error {
  override readonly name = 'AuditError'
}

/**
 * All checks in the order of the report. @spec MS-ODATA 2.2
 *
 * @example const ids = auditChecks.filter(({ level }) => level === 'MUST').map(({ id }) => id)
 */
export const auditChecks: readonly CheckDescription[] = allChecks.map(({ run: _run, ...rest }) => rest)

/**
 * Checks whether a service conforms to OData V2.
 *
 * The requests depend on the metadata document and on sample entities of the service. Checks that do not apply to the
 * service are skipped, with the reason. The audit only reads, unless `write` is set.
 *
 * @param url the service root
 * @param options credentials, the checks to run, and limits
 * @returns the outcome of every check, also for a service that does not conform
 * @throws AuditError if there is no service at the address, or an option is invalid
 * @example
 * const report = await auditService('http://localhost:4004/shop/', { write: true })
 * console.log(formatReport(report, 'text'))
 * @spec MS-ODATA 2.2
 */
export async function auditService(url: string, options: AuditOptions = {}): Promise<AuditReport> {
  const { headers = {}, write = false, concurrency = 4, signal, onCheck } = options
  const root = parseRoot(url)
  const selected = selectChecks(options.checks, write)
  const start = performance.now()
  const date = new Date().toISOString()
  const transport = createTransport(options, concurrency)
  const results = new Map<Check, CheckResult>()
  try {
    const service = new AuditedService(root, transport, headers)
    await assertReachable(service)
    const run = async (check: Check): Promise<void> => {
      signal?.throwIfAborted()
      const result = await runCheck(check, new AuditRun(service))
      signal?.throwIfAborted()
      results.set(check, result)
      onCheck?.(result, results.size, selected.length)
    }
    await runInParallel(
      selected.filter(({ writes }) => !writes),
      concurrency,
      run,
    )
    // Changes would disturb other checks.
    for (const check of selected.filter(({ writes }) => writes)) await run(check)
  } finally {
    transport.close()
  }
  const checks = selected.flatMap((one) => results.get(one) ?? [])
  const counts = { MUST: countOutcomes(checks, 'MUST'), SHOULD: countOutcomes(checks, 'SHOULD') }
  const duration = Math.round(performance.now() - start)
  return { service: root, date, duration, conforms: counts.MUST.failed === 0, counts, checks }
}

function parseRoot(url: string): string {
  if (!/^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(url) || !URL.canParse(url)) {
    throw new AuditError(
      `'${url}' is not the address of a service. Pass the service root, such as http://localhost:4004/shop/.`,
    )
  }
  return url.endsWith('/') ? url : `${url}/`
}

function selectChecks(prefixes: readonly string[] = [''], write: boolean): readonly Check[] {
  const ids = allChecks.map(({ id }) => id)
  const unknown = prefixes.find((prefix) => !ids.some((id) => id.startsWith(prefix)))
  if (unknown !== undefined) {
    const known = new Set([...ids, ...ids.map((id) => id.replace(/-\d+$/, ''))])
    throw new AuditError(`There is no check '${unknown}'.${didYouMean(unknown, known)}`)
  }
  return allChecks.filter(
    ({ id, writes }) => (write || !writes) && prefixes.some((prefix) => id.startsWith(prefix)),
  )
}

function createTransport(options: AuditOptions, maxSockets: number): Transport {
  const { timeout = 30_000, maxBytes = 16 * 1024 * 1024, signal, fetch } = options
  const limits = { timeout, maxBytes, signal }
  return fetch === undefined ? createNodeTransport(limits, maxSockets) : createFetchTransport(limits, fetch)
}

/** Asserts that a service responds: otherwise every check would fail. */
async function assertReachable(service: AuditedService): Promise<void> {
  const { root } = service
  try {
    const document = await service.get('')
    const { status } = document
    if (status === 401 || status === 403) {
      throw new AuditError(
        `${root} requires authentication: it responds with ${status}. Pass a header such as Authorization.`,
      )
    }
    if (!isService(document) && !(await hasMetadata(service))) {
      throw new AuditError(
        `No OData service found at ${root}: it returned status ${status} and no DataServiceVersion header, and ${root}$metadata is not a metadata document. Pass the service root, such as http://localhost:4004/shop/.`,
      )
    }
  } catch (error) {
    if (error instanceof TransportError) throw new AuditError(`${root}: ${error.message}`)
    throw error
  }
}

function isService(document: AuditResponse): boolean {
  // Audit a failing service too: the report shows its errors.
  if (document.status >= 500) return true
  return document.status === 200 && document.header('dataserviceversion') !== undefined
}

async function hasMetadata(service: AuditedService): Promise<boolean> {
  try {
    const { status, text } = await service.get('$metadata')
    return status === 200 && text.includes('Edmx')
  } catch {
    // Report the first response, which failed as well.
    return false
  }
}

async function runInParallel<Item>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const work = async (): Promise<void> => {
    for (const item of queue) await run(item)
  }
  await Promise.all(Array.from({ length: Math.max(1, limit) }, work))
}

type Outcome = Pick<CheckResult, 'outcome' | 'reason' | 'exchange'>

async function runCheck({ run, ...description }: Check, audit: AuditRun): Promise<CheckResult> {
  const start = performance.now()
  let outcome: Outcome = { outcome: 'passed' }
  try {
    await run(audit)
  } catch (error) {
    outcome = toOutcome(error, audit)
  }
  try {
    await audit.cleanUp()
  } catch (error) {
    // This check does not cover deletes.
    if (!(error instanceof TransportError)) throw error
  }
  const duration = Math.round((performance.now() - start) * 10) / 10
  return { ...description, ...outcome, requests: audit.responses.length, duration }
}

function toOutcome(error: unknown, { responses }: AuditRun): Outcome {
  if (error instanceof CheckSkipped) return { outcome: 'skipped', reason: error.message }
  const isExpected = error instanceof CheckFailure || error instanceof TransportError
  // One unexpected response must not abort the whole audit.
  const reason = isExpected ? error.message : `The response cannot be interpreted: ${String(error)}`
  const response = (error instanceof CheckFailure ? error.response : undefined) ?? responses.at(-1)
  const failure = { outcome: 'failed' as const, reason }
  return response === undefined ? failure : { ...failure, exchange: formatExchange(response) }
}

function formatExchange(response: AuditResponse): AuditExchange {
  const { method, url, headers, body = '' } = response.request
  const received = reportedHeaders.flatMap((name) => {
    const value = response.header(name)
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  return {
    request: formatMessage(
      `${method} ${url}`,
      Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      body,
    ),
    response: formatMessage(`${response.status}`, received, response.text),
  }
}

function formatMessage(start: string, headers: readonly string[], body: string): string {
  // Control characters could manipulate a terminal.
  const text = body.replace(/\r\n/g, '\n').replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd')
  const shown = text.length <= MAX_BODY_LENGTH ? text : `${text.slice(0, MAX_BODY_LENGTH)}...`
  return [start, ...headers, ...(body === '' ? [] : ['', shown])].join('\n')
}
