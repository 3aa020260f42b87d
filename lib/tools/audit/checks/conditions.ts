import { metadataNamespace } from '../../../xml/namespaces.js'
import { attributeOf } from '../../../xml/xml-element.js'
import { assert, assertClientError, assertEqual, assertStatus, skip } from '../assertions.js'
import type { Check } from '../check.js'
import { section } from '../check.js'
import { change, changeSection, creatable, reread } from '../created-entity.js'
import { jsonEntry, metadataOf } from '../json-documents.js'
import { sampleWhere } from '../needs.js'
import { atomRoot } from '../xml-documents.js'

const taggedEntities = sampleWhere(
  'entities with a concurrency token',
  ({ type }) => type.concurrencyTokens.length > 0,
)
const etags = section('MS-ODATA 2.2.5.4 (ETag)', taggedEntities)
const ifNoneMatch = section('MS-ODATA 2.2.5.6 (If-None-Match)', taggedEntities)

/** ETags and conditional reads. */
export const conditionalReadChecks: readonly Check[] = [
  etags.must(
    'ODATA-COND-001',
    'An entity with a concurrency token has the same ETag in the header and in __metadata.',
    async (audit, { firstAddress }) => {
      const response = await audit.getJson(firstAddress)
      const etag = response.header('etag')
      assert(etag !== undefined, 'There must be an ETag header.')
      assertEqual('"etag"', metadataOf(jsonEntry(response))['etag'], etag)
    },
  ),
  etags.must('ODATA-COND-002', 'The ETag in Atom is m:etag.', async (audit, { firstAddress }) => {
    const response = await audit.getAtom(firstAddress)
    const etag = attributeOf(atomRoot(response, 'entry'), 'etag', metadataNamespace)
    assert(etag !== undefined, 'The entry must have m:etag.')
    assertEqual('m:etag', etag, response.header('etag'))
  }),
  ifNoneMatch.must(
    'ODATA-COND-003',
    'If-None-Match with the current ETag returns 304.',
    async (audit, { firstAddress }) => {
      const etag = (await audit.getJson(firstAddress)).header('etag')
      if (etag === undefined) skip('The entity has no ETag.')
      const response = await audit.getJson(firstAddress, { 'If-None-Match': etag })
      assertStatus(response, 304)
      assert(response.body.length === 0, 'There must be no body.')
    },
  ),
  ifNoneMatch.must(
    'ODATA-COND-004',
    'If-None-Match with another ETag returns 200.',
    async (audit, { firstAddress }) => {
      assertStatus(await audit.getJson(firstAddress, { 'If-None-Match': 'W/"audit"' }), 200)
    },
  ),
  etags.should('ODATA-COND-005', 'ETags are weak.', async (audit, { firstAddress }) => {
    const response = await audit.getJson(firstAddress)
    const etag = response.header('etag') ?? ''
    assert(/^W\/"[^"]*"$/.test(etag), `The ETag must be weak, such as W/"1", not ${etag}.`)
  }),
]

const ifMatch = changeSection(
  'MS-ODATA 2.2.5.5 (If-Match)',
  creatable(
    'an entity set with concurrency tokens in which entities can be created',
    ({ concurrencyTokens }) => concurrencyTokens.length > 0,
  ),
)
const otherETag = { 'If-Match': 'W/"audit"' }

/** Conditional changes. */
export const conditionalChangeChecks: readonly Check[] = [
  ifMatch.must(
    'ODATA-COND-010',
    'The status for an update with another ETag is 412, and the entity stays unchanged.',
    async (audit, created, { text }) => {
      assertStatus(await change(audit, 'MERGE', created, { [text]: 'lost' }, otherETag), 412)
      assert((await reread(audit, created))[text] !== 'lost', `'${text}' must not have changed.`)
    },
  ),
  ifMatch.must(
    'ODATA-COND-011',
    'The status for a deletion with another ETag is 412, and the entity still exists.',
    async (audit, created) => {
      assertStatus(await change(audit, 'DELETE', created, undefined, otherETag), 412)
      assertStatus(await audit.getJson(created.uri), 200)
    },
  ),
  ifMatch.must(
    'ODATA-COND-012',
    'An update that changes the concurrency token invalidates the ETag.',
    async (audit, created, { text }) => {
      if (created.etag === undefined) skip('The entity has no ETag.')
      assertStatus(await change(audit, 'MERGE', created, { [text]: 'first' }), 204, 200)
      const etag = (await audit.getJson(created.uri)).header('etag')
      if (etag === created.etag) skip('The update does not change the concurrency token.')
      assertStatus(await change(audit, 'MERGE', created, { [text]: 'second' }), 412)
    },
  ),
  ifMatch.should(
    'ODATA-COND-013',
    'An update without If-Match is rejected if the entity has an ETag.',
    async (audit, { uri }, { text }) => {
      const unconditional = { uri, etag: undefined }
      assertClientError(await change(audit, 'MERGE', unconditional, { [text]: 'unconditional' }))
    },
  ),
]
