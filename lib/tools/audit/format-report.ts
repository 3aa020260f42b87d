import { groupBy } from '../../util/get-or-create.js'
import type { WritableElement } from '../../xml/write-xml.js'
import { writeXml } from '../../xml/write-xml.js'
import type { CheckDescription } from './check.js'

/**
 * `skipped` checks do not apply to the service.
 *
 * @example const outcome: CheckOutcome = 'failed'
 */
export type CheckOutcome = 'passed' | 'failed' | 'skipped'

/**
 * The result of one check.
 *
 * @example
 * const failures = (checks: readonly CheckResult[]) =>
 *   checks.filter(({ outcome }) => outcome === 'failed').map(({ id, reason }) => `${id}: ${reason}`)
 */
export interface CheckResult extends CheckDescription {
  /** The result of the check. */
  readonly outcome: CheckOutcome
  /** Why the check failed or was skipped. */
  readonly reason?: string
  /** The request and response of a failed check. */
  readonly exchange?: AuditExchange
  /** The number of requests that the check sent. */
  readonly requests: number
  /** Milliseconds that the check took. */
  readonly duration: number
}

/**
 * A request and its response as text.
 *
 * @example const show = ({ request, response }: AuditExchange) => console.log(`${request}\n\n${response}`)
 */
export interface AuditExchange {
  /** The request line, such as `GET http://localhost:4004/shop/Products?$top=1`, the headers and the body. */
  readonly request: string
  /** The status, some headers, and the beginning of the body. */
  readonly response: string
}

/**
 * The number of checks with each outcome.
 *
 * @example const all = ({ passed, failed, skipped }: OutcomeCounts) => passed + failed + skipped
 */
export interface OutcomeCounts {
  /** The number of passed checks. */
  readonly passed: number
  /** The number of failed checks. */
  readonly failed: number
  /** The number of skipped checks. */
  readonly skipped: number
}

/**
 * The result of an audit.
 *
 * @example
 * const report: AuditReport = await auditService('http://localhost:4004/shop/')
 * if (!report.conforms) process.exitCode = 1
 */
export interface AuditReport {
  /** The service root with a slash at the end. */
  readonly service: string
  /** When the audit started: `2024-05-29T09:13:28.000Z`. */
  readonly date: string
  /** Milliseconds that the audit took. */
  readonly duration: number
  /** True if no MUST check failed. */
  readonly conforms: boolean
  /** The number of checks with each outcome, by level. */
  readonly counts: Readonly<Record<'MUST' | 'SHOULD', OutcomeCounts>>
  /** The results in the order of `auditChecks`. */
  readonly checks: readonly CheckResult[]
}

export function countOutcomes(checks: readonly CheckResult[], level: 'MUST' | 'SHOULD'): OutcomeCounts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const one of checks) {
    if (one.level === level) counts[one.outcome]++
  }
  return counts
}

/**
 * The formats of `formatReport`.
 *
 * @example const format: ReportFormat = process.env.CI === undefined ? 'text' : 'junit'
 */
export type ReportFormat = 'text' | 'json' | 'junit'

/**
 * Functions that add colors to a text report.
 *
 * @example
 * import { styleText } from 'node:util'
 * const style: ReportStyle = {
 *   good: (text) => styleText('green', text),
 *   bad: (text) => styleText('red', text),
 *   dim: (text) => styleText('dim', text),
 * }
 */
export interface ReportStyle {
  /** Formats passed checks. */
  readonly good: (text: string) => string
  /** Formats failed checks. */
  readonly bad: (text: string) => string
  /** Formats skipped checks and details. */
  readonly dim: (text: string) => string
}

const plain: ReportStyle = { good: (text) => text, bad: (text) => text, dim: (text) => text }

/**
 * Formats a report.
 *
 * @param report the result of `auditService`
 * @param format `text` for terminals, `json` for programs, or `junit` (JUnit XML) for continuous integration, where
 * a failed SHOULD is not a failure
 * @param style adds colors to a text. Default: no colors
 * @returns the report with a line break at its end
 * @example
 * const report = await auditService('http://localhost:4004/shop/')
 * await writeFile('audit.xml', formatReport(report, 'junit'))
 * @spec MS-ODATA 2.2
 */
export function formatReport(report: AuditReport, format: ReportFormat, style: ReportStyle = plain): string {
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`
  return format === 'junit' ? formatJunit(report) : formatText(report, style)
}

function formatText(
  { service, date, duration, conforms, counts, checks }: AuditReport,
  style: ReportStyle,
): string {
  const failures = checks.filter(({ outcome }) => outcome === 'failed')
  const skipped = checks.filter(({ outcome }) => outcome === 'skipped')
  return [
    `OData V2 audit of ${service}`,
    style.dim(`${date}, ${checks.length} checks in ${(duration / 1000).toFixed(1)} s`),
    '',
    ...failures.flatMap((one) => failureLines(one, style)),
    ...(skipped.length === 0 ? [] : ['Skipped:', ...skippedLines(skipped, style), '']),
    formatCounts('MUST', counts.MUST),
    formatCounts('SHOULD', counts.SHOULD),
    conforms
      ? style.good('The service conforms: no MUST check failed.')
      : style.bad('The service does not conform: MUST checks failed.'),
    '',
  ].join('\n')
}

function failureLines(
  { id, level, title, spec, reason = '', exchange }: CheckResult,
  { bad, dim }: ReportStyle,
): string[] {
  const prefixed = (prefix: string, text = ''): string[] =>
    text === '' ? [] : text.split('\n').map((line) => dim(`    ${prefix} ${line}`))
  return [
    `${bad('failed')} ${id} ${level}  ${title}`,
    `  ${reason}`,
    dim(`  ${spec}`),
    ...prefixed('>', exchange?.request),
    ...prefixed('<', exchange?.response),
    '',
  ]
}

/** Returns the lines about skipped checks. Many are skipped for the same reason, which is printed once. */
function skippedLines(skipped: readonly CheckResult[], { dim }: ReportStyle): string[] {
  return [...groupBy(skipped, ({ reason = '' }) => reason)].flatMap(([reason, checks]) => [
    dim(`  ${reason}`),
    ...linesOf(checks.map(({ id }) => id)).map((line) => dim(`    ${line}`)),
  ])
}

const IDS_PER_LINE = 6

function linesOf(ids: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_LINE) }, (_, index) =>
    ids.slice(index * IDS_PER_LINE, (index + 1) * IDS_PER_LINE).join(', '),
  )
}

function formatCounts(level: string, { passed, failed, skipped }: OutcomeCounts): string {
  return `${level.padEnd(6)} ${passed} passed, ${failed} failed, ${skipped} skipped`
}

/** Returns the area of a check: `ODATA-FILTER` of `ODATA-FILTER-001`. */
function areaOf({ id }: CheckResult): string {
  return id.replace(/-\d+$/, '')
}

/** Creates a test suite for each area. */
function formatJunit({ service, date, checks }: AuditReport): string {
  return `${writeXml({
    name: 'testsuites',
    attributes: { name: `OData V2 audit of ${service}`, ...totalsOf(checks) },
    children: [...groupBy(checks, areaOf)].map(([name, group]) => ({
      name: 'testsuite',
      attributes: { name, timestamp: date.replace(/\.\d+Z$/, ''), ...totalsOf(group) },
      children: group.map(testCase),
    })),
  })}\n`
}

function totalsOf(checks: readonly CheckResult[]): Record<string, string> {
  const seconds = checks.reduce((sum, { duration }) => sum + duration, 0) / 1000
  return {
    tests: String(checks.length),
    failures: String(checks.filter(isFailure).length),
    errors: '0',
    skipped: String(checks.filter(({ outcome }) => outcome === 'skipped').length),
    time: seconds.toFixed(3),
  }
}

function isFailure({ outcome, level }: CheckResult): boolean {
  return outcome === 'failed' && level === 'MUST'
}

function testCase(check: CheckResult): WritableElement {
  const { id, title, duration } = check
  const time = (duration / 1000).toFixed(3)
  const attributes = { classname: areaOf(check), name: `${id} ${title}`, time }
  return { name: 'testcase', attributes, children: outcomeElements(check) }
}

function outcomeElements(check: CheckResult): WritableElement[] {
  const { level, spec, outcome, reason = '', exchange } = check
  if (outcome === 'passed') return []
  if (outcome === 'skipped') return [{ name: 'skipped', attributes: { message: reason } }]
  const details = exchange === undefined ? '' : `\n${exchange.request}\n\n${exchange.response}`
  const text = `${reason}\n${spec}${details}`
  return isFailure(check)
    ? [{ name: 'failure', attributes: { message: reason, type: level }, children: [text] }]
    : [{ name: 'system-out', children: [`SHOULD: ${text}`] }]
}
