import type { Answer } from '../answer.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandClientError, demandMediaType, demandStatus } from '../demands.js'
import { entities, nothing } from '../needs.js'
import { setAddress } from '../sample.js'

const version = 'MS-ODATA 2.2.5.3 (DataServiceVersion)'
const maximum = 'MS-ODATA 2.2.5.7 (MaxDataServiceVersion)'
const accept = 'MS-ODATA 2.2.5.1 (Accept)'

function demandVersion(answer: Answer): string {
  const given = answer.header('dataserviceversion')
  demand(given !== undefined, 'There must be the header DataServiceVersion.', answer)
  const number = /^(\d+\.\d+)\s*(?:;.*)?$/.exec(given)?.[1]
  demand(number !== undefined, `DataServiceVersion must be a number such as 2.0, not '${given}'.`, answer)
  return number
}

/** Versions and negotiation. */
export const headerChecks: readonly Check[] = [
  check({
    id: 'ODATA-HEADER-001',
    level: 'MUST',
    title: 'Answers say their version by DataServiceVersion.',
    spec: version,
    needs: entities(),
    run: async (audit, { set }) => {
      for (const address of ['', '$metadata', `${setAddress(set)}?$top=1`]) {
        demandVersion(await audit.get(address))
      }
    },
  }),
  check({
    id: 'ODATA-HEADER-002',
    level: 'SHOULD',
    title: 'Errors and $count say their version too.',
    spec: version,
    needs: entities(),
    run: async (audit, { set }) => {
      demandVersion(await audit.get(`${setAddress(set)}/$count`))
      demandVersion(await audit.get('AuditNoSuchSet'))
    },
  }),
  check({
    id: 'ODATA-HEADER-003',
    level: 'MUST',
    title: 'No answer is of a later version than 2.0.',
    spec: version,
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.getJson(`${setAddress(set)}?$top=1`)
      const given = demandVersion(answer)
      demand(Number(given) <= 2, `DataServiceVersion must be 1.0 or 2.0, not ${given}.`, answer)
    },
  }),
  check({
    id: 'ODATA-HEADER-004',
    level: 'MUST',
    title: 'A client that understands no more than version 1.0 gets that, or an error.',
    spec: maximum,
    needs: entities(),
    run: async (audit, { set }) => {
      const headers = { Accept: 'application/json', MaxDataServiceVersion: '1.0' }
      const answer = await audit.get(`${setAddress(set)}?$top=1`, headers)
      if (answer.status !== 200) demandClientError(answer)
      else demand(demandVersion(answer) === '1.0', 'DataServiceVersion must be 1.0.', answer)
    },
  }),
  check({
    id: 'ODATA-HEADER-005',
    level: 'MUST',
    title: 'A client that understands later versions too is answered.',
    spec: maximum,
    needs: entities(),
    run: async (audit, { set }) => {
      const headers = { Accept: 'application/json', MaxDataServiceVersion: '3.0;audit' }
      demandStatus(await audit.get(`${setAddress(set)}?$top=1`, headers), 200)
    },
  }),
  check({
    id: 'ODATA-HEADER-006',
    level: 'MUST',
    title: 'A request of a version that the service does not know is refused.',
    spec: version,
    needs: entities(),
    run: async (audit, { set }) => {
      demandClientError(await audit.get(`${setAddress(set)}?$top=1`, { DataServiceVersion: '9.0' }))
    },
  }),
  check({
    id: 'ODATA-HEADER-007',
    level: 'SHOULD',
    title: 'A version that is no number is refused.',
    spec: version,
    needs: entities(),
    run: async (audit, { set }) => {
      demandClientError(await audit.get(`${setAddress(set)}?$top=1`, { DataServiceVersion: 'audit' }))
    },
  }),
  check({
    id: 'ODATA-HEADER-008',
    level: 'MUST',
    title: 'A type that the service cannot send is refused, or answered with one that it can.',
    spec: accept,
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.get(`${setAddress(set)}?$top=1`, { Accept: 'image/x-audit' })
      if (answer.status === 200) demandMediaType(answer, 'application/atom+xml', 'application/json')
      else demandStatus(answer, 406, 415, 400)
    },
  }),
  check({
    id: 'ODATA-HEADER-009',
    level: 'SHOULD',
    title: 'A type that the service cannot send is answered with 406 or 415.',
    spec: accept,
    needs: entities(),
    run: async (audit, { set }) => {
      demandStatus(await audit.get(`${setAddress(set)}?$top=1`, { Accept: 'image/x-audit' }), 406, 415)
    },
  }),
  check({
    id: 'ODATA-HEADER-010',
    level: 'MUST',
    title: 'Of several types in Accept the one that the client likes most is sent.',
    spec: 'RFC 9110 12.5.1',
    needs: entities(),
    run: async (audit, { set }) => {
      const address = `${setAddress(set)}?$top=1`
      const first = await audit.get(address, { Accept: 'application/atom+xml;q=0.2,application/json;q=0.9' })
      demandMediaType(first, 'application/json')
      const second = await audit.get(address, { Accept: 'application/json;q=0.2,application/atom+xml;q=0.9' })
      demandMediaType(second, 'application/atom+xml')
    },
  }),
  check({
    id: 'ODATA-HEADER-011',
    level: 'SHOULD',
    title: 'What is sent in several formats has Vary: Accept, so that caches tell them apart.',
    spec: 'RFC 9110 12.5.5',
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.get(`${setAddress(set)}?$top=1`)
      demand(/accept|\*/i.test(answer.header('vary') ?? ''), 'The header Vary must have Accept.', answer)
    },
  }),
  check({
    id: 'ODATA-HEADER-012',
    level: 'SHOULD',
    title: 'OPTIONS is answered without a failure of the service.',
    spec: 'RFC 9110 9.3.7',
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.send('OPTIONS', setAddress(set))
      demand(answer.status < 500 || answer.status === 501, `The status must not be ${answer.status}.`, answer)
    },
  }),
  check({
    id: 'ODATA-HEADER-013',
    level: 'MUST',
    title: 'Texts are sent in UTF-8.',
    spec: 'MS-ODATA 2.2.5.2 (Content-Type)',
    needs: nothing,
    run: async (audit) => {
      const answer = await audit.getJson('')
      const charset = answer.mediaType?.parameters.get('charset')
      demand(
        charset === undefined || /^utf-?8$/i.test(charset),
        `charset must be utf-8, not '${charset}'.`,
        answer,
      )
    },
  }),
]
