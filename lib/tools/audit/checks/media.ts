import { attributeOf } from '../../../xml/xml-element.js'
import { atomChild, atomRoot, linkOf, metadataChild, resolved } from '../atom-documents.js'
import { readMediaType } from '../answer.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import {
  demand,
  demandClientError,
  demandMediaType,
  demandObject,
  demandStatus,
  demandString,
} from '../demands.js'
import { inSamples, sampleWhere } from '../needs.js'
import { entityAddress } from '../sample.js'

const spec = 'MS-ODATA 2.2.6.5.8 (retrieving a media resource)'
const media = inSamples('entities with media resources', (sample) => {
  const [row] = sample.rows
  return sample.set.entityType.hasStream && row !== undefined ? { sample, row } : undefined
})
const plain = sampleWhere('entities without media resource', ({ set }) => !set.entityType.hasStream)

/** Media resources, and the entries that link to them. */
export const mediaChecks: readonly Check[] = [
  check({
    id: 'ODATA-MEDIA-001',
    level: 'MUST',
    title: '$value of a media link entry is its media resource, of the type that __metadata says.',
    spec,
    needs: media,
    run: async (audit, { sample, row }) => {
      const answer = await audit.get(`${entityAddress(sample.set, row)}/$value`)
      demandStatus(answer, 200, 204)
      const type = demandObject(row['__metadata'], '"__metadata"')['content_type']
      if (answer.status === 200)
        demandMediaType(answer, readMediaType(demandString(type, '"content_type"')).essence)
    },
  }),
  check({
    id: 'ODATA-MEDIA-002',
    level: 'MUST',
    title: 'A media link entry says in __metadata where its media resource is.',
    spec: 'MS-ODATA 2.2.6.3.3 (entity type as a JSON object)',
    needs: media,
    run: async (audit, { row }) => {
      const metadata = demandObject(row['__metadata'], '"__metadata"')
      demandString(metadata['content_type'], '"content_type"')
      demandStatus(await audit.get(demandString(metadata['media_src'], '"media_src"')), 200, 204)
    },
  }),
  check({
    id: 'ODATA-MEDIA-003',
    level: 'MUST',
    title: 'In Atom the content of a media link entry has type and src, and m:properties stands beside it.',
    spec: 'MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)',
    needs: media,
    run: async (audit, { sample, row }) => {
      const answer = await audit.getAtom(entityAddress(sample.set, row))
      const root = atomRoot(answer, 'entry')
      const content = atomChild(root, 'content') ?? root
      const source = attributeOf(content, 'src')
      demand(source !== undefined, '<content> must have src.', answer)
      demand(attributeOf(content, 'type') !== undefined, '<content> must have type.', answer)
      demand(
        metadataChild(root, 'properties') !== undefined,
        '<m:properties> must stand in the entry itself.',
        answer,
      )
      demandStatus(await audit.get(resolved(root, source, answer)), 200, 204)
    },
  }),
  check({
    id: 'ODATA-MEDIA-004',
    level: 'SHOULD',
    title: 'A media link entry has a link with rel="edit-media".',
    spec: 'RFC 5023 11.1',
    needs: media,
    run: async (audit, { sample, row }) => {
      const answer = await audit.getAtom(entityAddress(sample.set, row))
      demand(linkOf(atomRoot(answer, 'entry'), 'edit-media') !== undefined, 'There must be the link.', answer)
    },
  }),
  check({
    id: 'ODATA-MEDIA-005',
    level: 'MUST',
    title: '$value of an entity without media resource is refused.',
    spec,
    needs: plain,
    run: async (audit, { set, rows }) => {
      demandClientError(await audit.get(`${entityAddress(set, rows[0] ?? {})}/$value`))
    },
  }),
]
