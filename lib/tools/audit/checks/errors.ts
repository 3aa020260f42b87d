import { isRecord } from '../../../util/is-record.js'
import { metadataNamespace } from '../../../xml/namespaces.js'
import { childElements } from '../../../xml/xml-element.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandClientError, demandMediaType, demandObject, demandStatus, shown } from '../demands.js'
import { entities, nothing } from '../needs.js'
import { setAddress } from '../sample.js'

const spec = 'MS-ODATA 2.2.8 (error responses)'

/** Error documents and statuses. */
export const errorChecks: readonly Check[] = [
  check({
    id: 'ODATA-ERROR-001',
    level: 'MUST',
    title: 'A resource that does not exist is answered with 404.',
    spec,
    needs: nothing,
    run: async (audit) => {
      demandStatus(await audit.get('AuditNoSuchSet'), 404)
      demandStatus(await audit.getJson('AuditNoSuchSet(1)'), 404)
    },
  }),
  check({
    id: 'ODATA-ERROR-002',
    level: 'MUST',
    title: 'An error in XML is an element <error> with <code> and <message>.',
    spec: 'MS-ODATA 2.2.8.1 (XML error response)',
    needs: nothing,
    run: async (audit) => {
      const answer = await audit.getXml('AuditNoSuchSet')
      demandMediaType(answer, 'application/xml', 'text/xml')
      const root = answer.xml()
      demand(
        root.name === 'error' && root.namespace === metadataNamespace,
        `The root element must be <error> of ${metadataNamespace}, not <${root.name}> of '${root.namespace}'.`,
        answer,
      )
      const names = childElements(root).map(({ name }) => name)
      demand(
        names[0] === 'code' && names[1] === 'message',
        `In it must be <code> and <message>, not ${shown(names)}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-ERROR-003',
    level: 'MUST',
    title: 'An error in JSON has the member "error" with code and message.',
    spec: 'MS-ODATA 2.2.8.2 (JSON error response)',
    needs: nothing,
    run: async (audit) => {
      const answer = await audit.getJson('AuditNoSuchSet')
      demandMediaType(answer, 'application/json')
      const error = demandObject(
        demandObject(answer.json(), 'The document', answer)['error'],
        '"error"',
        answer,
      )
      demand(
        typeof error['code'] === 'string',
        `"code" must be a string, not ${shown(error['code'])}.`,
        answer,
      )
      demand('message' in error, '"error" must have "message".', answer)
    },
  }),
  check({
    id: 'ODATA-ERROR-004',
    level: 'SHOULD',
    title: 'The message of an error in JSON has a text and its language.',
    spec: 'MS-ODATA 2.2.8.2 (JSON error response)',
    needs: nothing,
    run: async (audit) => {
      const answer = await audit.getJson('AuditNoSuchSet')
      const error = demandObject(
        demandObject(answer.json(), 'The document', answer)['error'],
        '"error"',
        answer,
      )
      const message = error['message']
      const isRight =
        isRecord(message) && typeof message['lang'] === 'string' && typeof message['value'] === 'string'
      demand(isRight, `"message" must have "lang" and "value", not ${shown(message)}.`, answer)
    },
  }),
  check({
    id: 'ODATA-ERROR-005',
    level: 'MUST',
    title: 'A fault in a request is answered with 400, and with an error document.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.getJson(`${setAddress(set)}?$filter=%28`)
      demandStatus(answer, 400)
      demandObject(demandObject(answer.json(), 'The document', answer)['error'], '"error"', answer)
    },
  }),
  check({
    id: 'ODATA-ERROR-006',
    level: 'MUST',
    title: 'A method that a resource does not have is refused.',
    spec: 'MS-ODATA 2.2.7, RFC 9110 15.5.6',
    needs: nothing,
    run: async (audit) => {
      demandClientError(await audit.send('DELETE', '$metadata'))
    },
  }),
  check({
    id: 'ODATA-ERROR-007',
    level: 'SHOULD',
    title: 'A method that a resource does not have is answered with 405, and Allow says which it has.',
    spec: 'RFC 9110 15.5.6',
    needs: nothing,
    run: async (audit) => {
      const answer = await audit.send('DELETE', '$metadata')
      demandStatus(answer, 405)
      demand(/\bGET\b/.test(answer.header('allow') ?? ''), 'The header Allow must have GET.', answer)
    },
  }),
  check({
    id: 'ODATA-ERROR-008',
    level: 'MUST',
    title: 'Something behind what ends a path is refused.',
    spec: 'MS-ODATA 2.2.3.5 (resource path)',
    needs: entities(),
    run: async (audit, { set }) => {
      demandClientError(await audit.get(`${setAddress(set)}/$count/audit`))
      demandClientError(await audit.get('$metadata/audit'))
    },
  }),
  check({
    id: 'ODATA-ERROR-009',
    level: 'SHOULD',
    title: 'A method that nobody knows is answered with an error of 4xx, or 501.',
    spec: 'RFC 9110 9.1',
    needs: nothing,
    run: async (audit) => {
      const answer = await audit.send('PROPFIND', '')
      if (answer.status !== 501) demandClientError(answer)
    },
  }),
]
