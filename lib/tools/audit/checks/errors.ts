import { metadataNamespace } from '../../../xml/namespaces.js'
import { childElements } from '../../../xml/xml-element.js'
import {
  assert,
  assertClientError,
  assertEqual,
  assertMediaType,
  assertObject,
  assertRejected,
  assertStatus,
  assertString,
} from '../assertions.js'
import type { AuditRun, Check } from '../check.js'
import { section } from '../check.js'
import { anyService, entities } from '../needs.js'
import type { AuditResponse } from '../response.js'
import { assertElement } from '../xml-documents.js'

const errorSpec = 'MS-ODATA 2.2.8 (error responses)'
const jsonError = section('MS-ODATA 2.2.8.2 (JSON error response)', anyService)

function errorIn(response: AuditResponse): Record<string, unknown> {
  const document = assertObject(response.json(), 'The document')
  return assertObject(document['error'], '"error"')
}

const anyError = section(errorSpec, anyService)
const xmlError = section('MS-ODATA 2.2.8.1 (XML error response)', anyService)
const invalid = section(errorSpec, entities())
const methods = section('MS-ODATA 2.2.7, RFC 9110 15.5.6', anyService)
const allow = section('RFC 9110 15.5.6', anyService)
const paths = section('MS-ODATA 2.2.3.5 (resource path)', entities())
const unknown = section('RFC 9110 9.1', anyService)

/** Error documents and statuses. */
export const errorChecks: readonly Check[] = [
  anyError.must('ODATA-ERROR-001', 'An unknown resource returns 404.', async (audit) => {
    assertStatus(await audit.get('AuditNoSuchSet'), 404)
    assertStatus(await audit.getJson('AuditNoSuchSet(1)'), 404)
  }),
  xmlError.must('ODATA-ERROR-002', 'An XML error is an <error> with <code> and <message>.', async (audit) => {
    const response = await audit.getXml('AuditNoSuchSet')
    assertMediaType(response, 'application/xml', 'text/xml')
    const root = response.xml()
    assertElement(root, 'error', metadataNamespace)
    const names = childElements(root).map(({ name }) => name)
    assertEqual('The first children of <error>', names.slice(0, 2), ['code', 'message'])
  }),
  jsonError.must('ODATA-ERROR-003', 'A JSON error is an "error" with code and message.', async (audit) => {
    const response = await audit.getJson('AuditNoSuchSet')
    assertMediaType(response, 'application/json')
    const error = errorIn(response)
    assertString(error['code'], '"code"')
    assert('message' in error, '"error" must have "message".')
  }),
  jsonError.should('ODATA-ERROR-004', 'The message of a JSON error has lang and value.', async (audit) => {
    const response = await audit.getJson('AuditNoSuchSet')
    const { lang, value } = assertObject(errorIn(response)['message'], '"message"')
    assertString(lang, '"lang"')
    assertString(value, '"value"')
  }),
  invalid.must('ODATA-ERROR-005', 'Invalid requests return 400 and an error.', async (audit, { address }) => {
    const response = await audit.getJson(`${address}?$filter=%28`)
    assertStatus(response, 400)
    errorIn(response)
  }),
  methods.must('ODATA-ERROR-006', 'An unsupported method is rejected.', async (audit) => {
    assertClientError(await audit.send('DELETE', '$metadata'))
  }),
  allow.should('ODATA-ERROR-007', 'An unsupported method returns 405, with Allow.', async (audit) => {
    const response = await audit.send('DELETE', '$metadata')
    assertStatus(response, 405)
    assert(/\bGET\b/.test(response.header('allow') ?? ''), 'Allow must contain GET.')
  }),
  paths.must('ODATA-ERROR-008', 'Nothing can follow $count or $metadata.', async (audit, { address }) => {
    assertClientError(await audit.get(`${address}/$count/audit`))
    assertClientError(await audit.get('$metadata/audit'))
  }),
  unknown.should('ODATA-ERROR-009', 'An unknown method returns 4xx or 501.', async (audit) => {
    assertRejected(await audit.send('PROPFIND', ''))
  }),
]

const securitySpec = 'MS-ODATA 5.1 (security considerations)'
const safety = section(securitySpec, entities())

/** Stack traces, file paths and messages of database drivers. */
const internals = [
  /\bat [\w.<>$ ]+\([^)]*:\d+:\d+\)/,
  /\bat [\w.]+\([\w.]+\.(?:java|cs):\d+\)/,
  /Traceback \(most recent call last\)/,
  /(?:\/(?:home|usr|var|opt|srv)\/[\w./-]+\.(?:js|ts|py|rb|php|java)|[A-Z]:\\[\w\\.-]+\.(?:cs|dll|js))\b/,
  /\b(?:SQLITE_[A-Z]+|ORA-\d{5}|SQLSTATE\[|System\.Data\.SqlClient|node_modules)\b/,
]

function assertNoInternals(response: AuditResponse): void {
  const { status, text } = response
  const found = internals.map((pattern) => pattern.exec(text)?.[0]).find((one) => one !== undefined)
  assert(
    status < 400 || found === undefined,
    `The error must not expose internals of the service: '${found}'.`,
  )
}

async function assertErrors(audit: AuditRun, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const response = await audit.getJson(address)
    assertClientError(response)
    assertNoInternals(response)
  }
}

async function assertNoFailure(audit: AuditRun, address: string): Promise<void> {
  const response = await audit.getJson(address)
  const { status } = response
  assert(status < 500 || status === 501, `The service must not fail with status ${status}.`)
}

const longUris = section('RFC 9110 15.5.15', entities())
const encoding = section('RFC 3986 2.1', entities())
const dotSegments = section('RFC 3986 5.2.4', anyService)
const sniffing = section('WHATWG Fetch (X-Content-Type-Options)', entities())

/** Malicious requests. */
export const safetyChecks: readonly Check[] = [
  safety.must('ODATA-SAFE-001', 'Errors do not expose internals.', async (audit, { address }) => {
    const queries = [
      '$filter=%27',
      '$filter=a%20eq%20',
      '$orderby=1%20eq',
      '$top=9e9',
      '$skiptoken=%27%27%27',
    ]
    const invalid = queries.map((query) => `${address}?${query}`)
    for (const one of ['AuditNoSuchSet', `${address}(%27)`, ...invalid]) {
      const response = await audit.getJson(one)
      assertNoInternals(response)
    }
  }),
  safety.must('ODATA-SAFE-002', 'Names of JavaScript members are unknown.', async (audit, { address }) => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const queries = [`$filter=${name}%20eq%201`, `$orderby=${name}`, `$expand=${name}`]
      await assertErrors(audit, [name, ...queries.map((query) => `${address}?${query}`)])
    }
  }),
  longUris.must('ODATA-SAFE-003', 'A very long URI causes no failure.', async (audit, { address }) => {
    await assertNoFailure(audit, `${address}?$filter=${'1%20eq%201%20and%20'.repeat(400)}true`)
  }),
  safety.must('ODATA-SAFE-004', 'Deeply nested expressions cause no failure.', async (audit, { address }) => {
    await assertNoFailure(audit, `${address}?$filter=${'('.repeat(1500)}true${')'.repeat(1500)}`)
  }),
  encoding.must('ODATA-SAFE-005', 'Malformed percent-encoding is rejected.', async (audit, { address }) => {
    await assertErrors(audit, ['Audit%ZZ', `${address}?$filter=%ZZ`, `${address}(%FF)`])
  }),
  dotSegments.must('ODATA-SAFE-006', 'Paths to parent directories are rejected.', async (audit) => {
    await assertErrors(audit, ['%2e%2e%2f%2e%2e%2fetc%2fpasswd', '..%5c..%5cwindows%5cwin.ini'])
  }),
  safety.must('ODATA-SAFE-007', 'Numbers out of range cause no failure.', async (audit, { address }) => {
    const huge = '9'.repeat(400)
    const filters = [`${huge}%20eq%201`, '1%20div%200%20eq%201'].map((filter) => `$filter=${filter}`)
    for (const query of [`$top=${huge}`, `$skip=${huge}`, ...filters]) {
      await assertNoFailure(audit, `${address}?${query}`)
    }
  }),
  safety.must('ODATA-SAFE-008', 'A string literal with SQL is a string.', async (audit, { address }) => {
    const text = encodeURIComponent("'x'' or ''1''=''1'")
    const response = await audit.getJson(`${address}?$top=1&$filter=${text}%20eq%20%27y%27`)
    assertStatus(response, 200, 400)
    assert(!/"results":\[\{/.test(response.text), 'The result must be empty.')
  }),
  sniffing.should(
    'ODATA-SAFE-009',
    'Responses have X-Content-Type-Options: nosniff.',
    async (audit, { address }) => {
      const response = await audit.getJson(`${address}?$top=1`)
      const options = response.header('x-content-type-options')
      assertEqual('X-Content-Type-Options', options, 'nosniff')
    },
  ),
]
