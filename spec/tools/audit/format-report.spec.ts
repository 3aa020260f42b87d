import type { AuditReport, CheckResult } from '../../../lib/audit.js'
import { formatReport } from '../../../lib/audit.js'
import { parseXml } from '../../../lib/xml/parse-xml.js'
import { attributeOf, childElements } from '../../../lib/xml/xml-element.js'

const common = { spec: 'MS-ODATA 2.2', writes: false, requests: 1, duration: 12.5 }

const checks: readonly CheckResult[] = [
  { ...common, id: 'ODATA-META-001', level: 'MUST', title: 'First.', outcome: 'passed' },
  {
    ...common,
    id: 'ODATA-META-002',
    level: 'MUST',
    title: 'Second <of all>.',
    outcome: 'failed',
    reason: 'The status must be 200, not 500.',
    exchange: { request: 'GET http://host/$metadata', response: '500\n\n<html>]]>\u0007' },
  },
  {
    ...common,
    id: 'ODATA-ROOT-001',
    level: 'SHOULD',
    title: 'Third.',
    outcome: 'failed',
    reason: 'It should not.',
  },
  {
    ...common,
    id: 'ODATA-ROOT-002',
    level: 'MUST',
    title: 'Fourth.',
    outcome: 'skipped',
    reason: 'Nothing there.',
  },
  {
    ...common,
    id: 'ODATA-ROOT-003',
    level: 'MUST',
    title: 'Fifth.',
    outcome: 'skipped',
    reason: 'Nothing here.',
  },
  {
    ...common,
    id: 'ODATA-ROOT-004',
    level: 'MUST',
    title: 'Sixth.',
    outcome: 'skipped',
    reason: 'Nothing there.',
  },
]

const report: AuditReport = {
  service: 'http://host/',
  date: '2024-05-29T09:13:28.000Z',
  duration: 1500,
  conforms: false,
  counts: { MUST: { passed: 1, failed: 1, skipped: 3 }, SHOULD: { passed: 0, failed: 1, skipped: 0 } },
  checks,
}

describe('formatReport', () => {
  it('MUST list failed checks with the exchange, and skipped checks with the reason', () => {
    expect(formatReport(report, 'text')).toBe(
      [
        'OData V2 audit of http://host/',
        '2024-05-29T09:13:28.000Z, 6 checks in 1.5 s',
        '',
        'failed ODATA-META-002 MUST  Second <of all>.',
        '  The status must be 200, not 500.',
        '  MS-ODATA 2.2',
        '    > GET http://host/$metadata',
        '    < 500',
        '    < ',
        '    < <html>]]>\u0007',
        '',
        'failed ODATA-ROOT-001 SHOULD  Third.',
        '  It should not.',
        '  MS-ODATA 2.2',
        '',
        'Skipped:',
        '  Nothing there.',
        '    ODATA-ROOT-002, ODATA-ROOT-004',
        '  Nothing here.',
        '    ODATA-ROOT-003',
        '',
        'MUST   1 passed, 1 failed, 3 skipped',
        'SHOULD 0 passed, 1 failed, 0 skipped',
        'The service does not conform: MUST checks failed.',
        '',
      ].join('\n'),
    )
  })

  it('MUST apply the style', () => {
    const style = {
      good: (text: string) => `+${text}`,
      bad: (text: string) => `!${text}`,
      dim: (text: string) => text,
    }
    expect(formatReport(report, 'text', style)).toContain('!failed ODATA-META-002')
    expect(formatReport({ ...report, conforms: true }, 'text', style)).toContain('+The service conforms')
  })

  it('MUST return the whole report as JSON', () => {
    expect(JSON.parse(formatReport(report, 'json'))).toEqual(report)
  })

  it('MUST return JUnit XML with a suite for each area, where only a MUST is a failure', () => {
    const root = parseXml(formatReport(report, 'junit'))
    expect(root.name).toBe('testsuites')
    const totals = ['tests', 'failures', 'errors', 'skipped', 'time'].map((name) => attributeOf(root, name))
    expect(totals).toEqual(['6', '1', '0', '3', '0.075'])
    const suites = childElements(root)
    expect(suites.map((one) => attributeOf(one, 'name'))).toEqual(['ODATA-META', 'ODATA-ROOT'])
    const outcomes = suites.flatMap(childElements).map((one) => childElements(one).map(({ name }) => name))
    expect(outcomes).toEqual([[], ['failure'], ['system-out'], ['skipped'], ['skipped'], ['skipped']])
  })
})
