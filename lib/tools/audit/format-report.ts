import type { WritableElement } from '../../xml/write-xml.js'
import { writeXml } from '../../xml/write-xml.js'
import type { AuditReport, CheckResult, OutcomeCounts } from './report.js'

/** How a report is written. */
export type ReportFormat = 'text' | 'json' | 'junit'

/** How words are marked in a text; not at all by default. */
export interface ReportStyle {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly dim: (text: string) => string
}

const plain: ReportStyle = { good: (text) => text, bad: (text) => text, dim: (text) => text }

/**
 * Writes a report down.
 *
 * @param report what `auditService` has returned
 * @param format `text` for people, `json` for programs, `junit` (JUnit XML) for continuous integration, in which
 * a SHOULD that is not kept is no failure
 * @param style how the words of a text are marked. Default: not at all
 * @returns the whole text, with a line break at its end
 * @example
 * const report = await auditService('http://localhost:4004/shop/')
 * await writeFile('audit.xml', formatReport(report, 'junit'))
 * @spec MS-ODATA 2.2
 */
export function formatReport(report: AuditReport, format: ReportFormat, style: ReportStyle = plain): string {
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`
  return format === 'junit' ? junitReport(report) : textReport(report, style)
}

function textReport(
  { service, date, duration, conforms, counts, checks }: AuditReport,
  style: ReportStyle,
): string {
  const failures = checks.filter(({ outcome }) => outcome === 'failed')
  const skipped = checks.filter(({ outcome }) => outcome === 'skipped')
  const verdict = conforms
    ? style.good('The service keeps to all that was checked and that it MUST keep to.')
    : style.bad('The service does not keep to what it MUST keep to.')
  return [
    `OData V2 audit of ${service}`,
    style.dim(`${date}, ${checks.length} checks in ${(duration / 1000).toFixed(1)} s`),
    '',
    ...failures.flatMap((one) => failureLines(one, style)),
    ...(skipped.length === 0 ? [] : ['Left out:', ...skippedLines(skipped, style), '']),
    countLine('MUST', counts.MUST),
    countLine('SHOULD', counts.SHOULD),
    verdict,
    '',
  ].join('\n')
}

function failureLines(
  { id, level, title, spec, reason, exchange }: CheckResult,
  style: ReportStyle,
): string[] {
  const lines = [
    `${style.bad('failed')} ${id} ${level}  ${title}`,
    `  ${reason ?? ''}`,
    style.dim(`  ${spec}`),
  ]
  if (exchange !== undefined) {
    lines.push(...indented('> ', exchange.request, style), ...indented('< ', exchange.answer, style))
  }
  return [...lines, '']
}

function indented(mark: string, text: string, { dim }: ReportStyle): string[] {
  return text.split('\n').map((line) => dim(`    ${mark}${line}`))
}

/** Many checks are left out for the same reason; it is said once. */
function skippedLines(skipped: readonly CheckResult[], { dim }: ReportStyle): string[] {
  const checks = new Map<string, string[]>()
  for (const { id, reason = '' } of skipped) {
    checks.set(reason, [...(checks.get(reason) ?? []), id])
  }
  return [...checks].flatMap(([reason, ids]) => [
    dim(`  ${reason}`),
    ...lines(ids, 6).map((line) => dim(`    ${line.join(', ')}`)),
  ])
}

function lines(ids: readonly string[], size: number): (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  )
}

function countLine(level: string, { passed, failed, skipped }: OutcomeCounts): string {
  return `${level.padEnd(6)} ${passed} passed, ${failed} failed, ${skipped} left out`
}

/** A suite for each area: `ODATA-FILTER`. */
function junitReport(report: AuditReport): string {
  const areas = new Map<string, CheckResult[]>()
  for (const one of report.checks) {
    const area = one.id.replace(/-\d+$/, '')
    const list = areas.get(area) ?? []
    list.push(one)
    areas.set(area, list)
  }
  return `${writeXml({
    name: 'testsuites',
    attributes: { name: `OData V2 audit of ${report.service}`, ...totals(report.checks) },
    children: [...areas].map(([name, checks]) => ({
      name: 'testsuite',
      attributes: { name, timestamp: report.date.replace(/\.\d+Z$/, ''), ...totals(checks) },
      children: checks.map(testCase),
    })),
  })}\n`
}

function totals(checks: readonly CheckResult[]): Record<string, string> {
  const failures = checks.filter(isFailure).length
  const seconds = checks.reduce((sum, { duration }) => sum + duration, 0) / 1000
  return {
    tests: String(checks.length),
    failures: String(failures),
    errors: '0',
    skipped: String(checks.filter((one) => one.outcome === 'skipped').length),
    time: seconds.toFixed(3),
  }
}

function isFailure({ outcome, level }: CheckResult): boolean {
  return outcome === 'failed' && level === 'MUST'
}

function testCase(one: CheckResult): WritableElement {
  const { id, level, title, spec, outcome, reason = '', exchange, duration } = one
  const details = exchange === undefined ? '' : `\n${exchange.request}\n\n${exchange.answer}`
  const children: WritableElement[] = []
  if (outcome === 'skipped') children.push({ name: 'skipped', attributes: { message: reason } })
  else if (isFailure(one)) {
    const attributes = { message: reason, type: level }
    children.push({ name: 'failure', attributes, children: [`${reason}\n${spec}${details}`] })
  } else if (outcome === 'failed') {
    children.push({ name: 'system-out', children: [`SHOULD: ${reason}\n${spec}${details}`] })
  }
  const attributes = {
    classname: id.replace(/-\d+$/, ''),
    name: `${id} ${title}`,
    time: (duration / 1000).toFixed(3),
  }
  return { name: 'testcase', attributes, children }
}
