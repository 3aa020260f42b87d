import { isRecord } from '../../util/is-record.js'
import type { UpstreamProtocol } from '../upstream/upstream-protocol.js'
import type { UpstreamService } from '../upstream/upstream-service.js'
import { etagOf } from '../upstream/upstream-etags.js'
import type { V4Model } from './v4-model.js'
import type { V4Settings } from './v4-options.js'

/** The model and the settings that all entity sets of a V4 service share. */
export interface V4Service extends UpstreamService {
  readonly model: V4Model
  readonly settings: V4Settings
}

/** JSON of OData V4, and its options and changes. Numbers of 64 bits and decimals are strings. */
export const v4Protocol: UpstreamProtocol = {
  accept: 'application/json;odata.metadata=minimal;IEEE754Compatible=true',
  contentType: 'application/json;IEEE754Compatible=true',
  contentOf: (document) => document,
  pageOf: (content) =>
    isRecord(content)
      ? {
          value: content.value,
          count: content['@odata.count'] ?? content['@count'],
          link: content['@odata.nextLink'] ?? content['@nextLink'],
        }
      : {},
  nestedPageOf: (entity, name) => ({
    value: entity[name],
    link: entity[`${name}@odata.nextLink`] ?? entity[`${name}@nextLink`],
  }),
  sortsNested: true,
  countOption: ['$count', 'true'],
  etagOfRow: (row) => etagOf(row['@odata.etag'] ?? row['@etag']),
  etagOf,
  updateMethod: 'PATCH',
  updateInserts: true,
  preference: (isRepresentation) => ({
    prefer: isRepresentation ? 'return=representation' : 'return=minimal',
  }),
  link({ path, name, isCollection, root, target }) {
    if (isCollection)
      return {
        method: 'POST',
        path: `${path}/${encodeURIComponent(name)}/$ref`,
        body: { '@odata.id': root + target },
      }
    const headers = { 'if-match': '*', ...v4Protocol.preference(false) }
    return { method: 'PATCH', path, headers, body: { [`${name}@odata.bind`]: target } }
  },
  unlink({ path, name, isCollection, root, target }) {
    const reference = `${path}/${encodeURIComponent(name)}/$ref`
    const query = isCollection ? `?$id=${encodeURIComponent(root + target)}` : ''
    return { method: 'DELETE', path: reference + query }
  },
}
