import { assert, assertClientError, assertEqual, assertMediaType, assertStatus } from '../assertions.js'
import type { Check } from '../check.js'
import { section } from '../check.js'
import { anyService, entities } from '../needs.js'
import type { AuditResponse } from '../response.js'

const version = section('MS-ODATA 2.2.5.3 (DataServiceVersion)', entities())
const maxVersion = section('MS-ODATA 2.2.5.7 (MaxDataServiceVersion)', entities())
const accept = section('MS-ODATA 2.2.5.1 (Accept)', entities())

function assertVersion(response: AuditResponse): string {
  const header = response.header('dataserviceversion')
  assert(header !== undefined, 'There must be a DataServiceVersion header.')
  const version = /^(\d+\.\d+)\s*(?:;.*)?$/.exec(header)?.[1]
  assert(version !== undefined, `DataServiceVersion must be a version such as 2.0, not '${header}'.`)
  return version
}

const quality = section('RFC 9110 12.5.1', entities())
const vary = section('RFC 9110 12.5.5', entities())
const options = section('RFC 9110 9.3.7', entities())
const charset = section('MS-ODATA 2.2.5.2 (Content-Type)', anyService)

/** Protocol versions and content negotiation. */
export const headerChecks: readonly Check[] = [
  version.must('ODATA-HEADER-001', 'Responses have a DataServiceVersion.', async (audit, { address }) => {
    for (const one of ['', '$metadata', `${address}?$top=1`]) assertVersion(await audit.get(one))
  }),
  version.should('ODATA-HEADER-002', 'Errors and $count have a version.', async (audit, { address }) => {
    for (const one of [`${address}/$count`, 'AuditNoSuchSet']) assertVersion(await audit.get(one))
  }),
  version.must('ODATA-HEADER-003', 'DataServiceVersion is at most 2.0.', async (audit, { address }) => {
    const response = await audit.getJson(`${address}?$top=1`)
    const version = assertVersion(response)
    assert(Number(version) <= 2, `DataServiceVersion must be 1.0 or 2.0, not ${version}.`)
  }),
  maxVersion.must(
    'ODATA-HEADER-004',
    'A client that supports version 1.0 only receives that version or an error.',
    async (audit, { address }) => {
      const response = await audit.getJson(`${address}?$top=1`, { MaxDataServiceVersion: '1.0' })
      if (response.status !== 200) assertClientError(response)
      else assertEqual('DataServiceVersion', assertVersion(response), '1.0')
    },
  ),
  maxVersion.must('ODATA-HEADER-005', 'A client of later versions is served.', async (audit, { address }) => {
    assertStatus(await audit.getJson(`${address}?$top=1`, { MaxDataServiceVersion: '3.0;audit' }), 200)
  }),
  version.must('ODATA-HEADER-006', 'An unknown version is rejected.', async (audit, { address }) => {
    assertClientError(await audit.get(`${address}?$top=1`, { DataServiceVersion: '9.0' }))
  }),
  version.should('ODATA-HEADER-007', 'A malformed version is rejected.', async (audit, { address }) => {
    assertClientError(await audit.get(`${address}?$top=1`, { DataServiceVersion: 'audit' }))
  }),
  accept.must(
    'ODATA-HEADER-008',
    'A request for an unsupported type is rejected or returns a supported type.',
    async (audit, { address }) => {
      const response = await audit.get(`${address}?$top=1`, { Accept: 'image/x-audit' })
      if (response.status === 200) assertMediaType(response, 'application/atom+xml', 'application/json')
      else assertStatus(response, 406, 415, 400)
    },
  ),
  accept.should('ODATA-HEADER-009', 'An unsupported type returns 406 or 415.', async (audit, { address }) => {
    assertStatus(await audit.get(`${address}?$top=1`, { Accept: 'image/x-audit' }), 406, 415)
  }),
  quality.must('ODATA-HEADER-010', 'Quality values in Accept are honored.', async (audit, { address }) => {
    for (const [preferred, other] of [
      ['application/json', 'application/atom+xml'],
      ['application/atom+xml', 'application/json'],
    ] as const) {
      const response = await audit.get(`${address}?$top=1`, { Accept: `${other};q=0.2,${preferred};q=0.9` })
      assertMediaType(response, preferred)
    }
  }),
  vary.should('ODATA-HEADER-011', 'Negotiated responses have Vary: Accept.', async (audit, { address }) => {
    const response = await audit.get(`${address}?$top=1`)
    assert(/accept|\*/i.test(response.header('vary') ?? ''), 'Vary must contain Accept.')
  }),
  options.should('ODATA-HEADER-012', 'OPTIONS does not fail.', async (audit, { address }) => {
    const response = await audit.send('OPTIONS', address)
    const { status } = response
    assert(status < 500 || status === 501, `The status must not be ${status}.`)
  }),
  charset.must('ODATA-HEADER-013', 'The charset of responses is UTF-8.', async (audit) => {
    const response = await audit.getJson('')
    const charset = response.mediaType.parameters.get('charset') ?? 'utf-8'
    assert(/^utf-?8$/i.test(charset), `charset must be utf-8, not '${charset}'.`)
  }),
]
