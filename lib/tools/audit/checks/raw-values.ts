import { attributeOf } from '../../../xml/xml-element.js'
import {
  assert,
  assertClientError,
  assertEqual,
  assertMediaType,
  assertStatus,
  assertString,
  skip,
} from '../assertions.js'
import type { AuditRun, Check } from '../check.js'
import { section } from '../check.js'
import { countableFilter, integers, plainStrings } from '../filter-check.js'
import { metadataOf, readPages } from '../json-documents.js'
import { anyService, entities, nullProperty, sampleWhere, toMany, valueOfType } from '../needs.js'
import type { AuditResponse } from '../response.js'
import { parseMediaType } from '../response.js'
import { atomChild, atomRoot, linkOf, metadataChild, resolveHref } from '../xml-documents.js'

const countSpec = 'MS-ODATA 2.2.3.5 (URI 15)'

async function assertText(audit: AuditRun, address: string, expected: string): Promise<AuditResponse> {
  const response = await audit.get(address)
  assertStatus(response, 200)
  assertEqual('The body', response.text, expected)
  return response
}

const wholeSet = section(
  countSpec,
  sampleWhere('an entity set that can be read completely', ({ isComplete }) => isComplete),
)
const count = section(countSpec, entities())
const filtered = section(countSpec, integers)
const related = section(countSpec, toMany)

/** `$count`. */
export const countChecks: readonly Check[] = [
  wholeSet.must('ODATA-COUNT-010', '$count is the number of entities.', async (audit, { address, rows }) => {
    await assertText(audit, `${address}/$count`, String(rows.length))
  }),
  count.must('ODATA-COUNT-011', '$count is plain text with digits only.', async (audit, { address }) => {
    const response = await audit.get(`${address}/$count`)
    assertStatus(response, 200)
    assertMediaType(response, 'text/plain')
    assert(/^\d+$/.test(response.text), `The body must be a number, not '${response.text}'.`)
  }),
  filtered.must('ODATA-COUNT-012', '$count applies $filter.', async (audit, subject) => {
    const { query, count } = countableFilter(subject)
    await assertText(audit, `${subject.sample.address}/$count?${query}`, String(count))
  }),
  related.must('ODATA-COUNT-013', '$count counts a navigation property.', async (audit, { address }) => {
    const { rows, isComplete } = await readPages(audit, address)
    if (!isComplete) skip('The navigation property has too many entities.')
    await assertText(audit, `${address}/$count`, String(rows.length))
  }),
]

const valueSpec = 'MS-ODATA 2.2.6.4.1 (raw values)'

const strings = section(valueSpec, plainStrings)
const numbers = section(valueSpec, integers)
const nulls = section(valueSpec, nullProperty)
const binaries = section(
  valueSpec,
  valueOfType(['Edm.Binary'], (value) => typeof value === 'string' && value !== ''),
)
const unknown = section(valueSpec, anyService)

/** `$value` of properties. */
export const valueChecks: readonly Check[] = [
  strings.must('ODATA-VALUE-001', '$value of a string is plain text.', async (audit, { sample, name }) => {
    const row = sample.rows.find((one) => typeof one[name] === 'string' && one[name] !== '') ?? {}
    const address = `${sample.addressOf(row)}/${name}/$value`
    assertMediaType(await assertText(audit, address, String(row[name])), 'text/plain')
  }),
  numbers.must('ODATA-VALUE-002', '$value of a number is its digits.', async (audit, { sample, name }) => {
    const row = sample.rows.find((one) => one[name] !== null) ?? {}
    await assertText(audit, `${sample.addressOf(row)}/${name}/$value`, String(row[name]))
  }),
  nulls.must('ODATA-VALUE-003', '$value of null returns 404 or 204.', async (audit, { address }) => {
    assertStatus(await audit.get(`${address}/$value`), 404, 204)
  }),
  binaries.must(
    'ODATA-VALUE-004',
    '$value of Edm.Binary is its bytes.',
    async (audit, { address, row, name, property }) => {
      const response = await audit.get(`${address}/$value`)
      assertStatus(response, 200)
      const isSame = Buffer.from(String(row[name]), 'base64').equals(response.body)
      assert(isSame, 'The bytes must be those of the base64 string in JSON.')
      if (property.mimeType !== undefined) assertMediaType(response, property.mimeType.toLowerCase())
    },
  ),
  unknown.must('ODATA-VALUE-005', '$value of an unknown resource is rejected.', async (audit) => {
    assertClientError(await audit.get('AuditNoSuchSet(1)/Name/$value'))
  }),
]

const mediaSpec = 'MS-ODATA 2.2.6.5.8 (retrieving a media resource)'
const mediaLinkEntries = sampleWhere('entities with media resources', ({ type }) => type.hasStream)

const media = section(mediaSpec, mediaLinkEntries)
const jsonMedia = section('MS-ODATA 2.2.6.3.3 (entity type as a JSON object)', mediaLinkEntries)
const atomMedia = section('MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)', mediaLinkEntries)
const editMedia = section('RFC 5023 11.1', mediaLinkEntries)
const noMedia = section(
  mediaSpec,
  sampleWhere('entities without media resources', ({ type }) => !type.hasStream),
)

/** Media resources and media link entries. */
export const mediaChecks: readonly Check[] = [
  media.must(
    'ODATA-MEDIA-001',
    '$value of a media link entry is its media resource, with the type of __metadata.',
    async (audit, { first, firstAddress }) => {
      const response = await audit.get(`${firstAddress}/$value`)
      assertStatus(response, 200, 204)
      if (response.status === 204) return
      const type = assertString(metadataOf(first)['content_type'], '"content_type"')
      assertMediaType(response, parseMediaType(type).essence)
    },
  ),
  jsonMedia.must(
    'ODATA-MEDIA-002',
    '__metadata of a media link entry has the address and the type of the media resource.',
    async (audit, { first }) => {
      const { content_type: type, media_src: source } = metadataOf(first)
      assertString(type, '"content_type"')
      assertStatus(await audit.get(assertString(source, '"media_src"')), 200, 204)
    },
  ),
  atomMedia.must(
    'ODATA-MEDIA-003',
    'In Atom, content of a media link entry has type and src, and m:properties is next to it.',
    async (audit, { firstAddress }) => {
      const response = await audit.getAtom(firstAddress)
      const root = atomRoot(response, 'entry')
      const content = atomChild(root, 'content') ?? root
      const source = attributeOf(content, 'src')
      assert(source !== undefined, '<content> must have src.')
      assert(attributeOf(content, 'type') !== undefined, '<content> must have type.')
      const hasProperties = metadataChild(root, 'properties') !== undefined
      assert(hasProperties, '<m:properties> must be a child of <entry>.')
      assertStatus(await audit.get(resolveHref(root, source, response)), 200, 204)
    },
  ),
  editMedia.should(
    'ODATA-MEDIA-004',
    'A media link entry has a link with rel="edit-media".',
    async (audit, { firstAddress }) => {
      const response = await audit.getAtom(firstAddress)
      const link = linkOf(atomRoot(response, 'entry'), 'edit-media')
      assert(link !== undefined, 'There must be a link with rel="edit-media".')
    },
  ),
  noMedia.must(
    'ODATA-MEDIA-005',
    '$value of an entity without media resource is rejected.',
    async (audit, { firstAddress }) => {
      assertClientError(await audit.get(`${firstAddress}/$value`))
    },
  ),
]
