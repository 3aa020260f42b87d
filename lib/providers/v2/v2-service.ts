import { isRecord } from '../../util/is-record.js'
import type { PageContent, UpstreamProtocol } from '../upstream/upstream-protocol.js'
import type { UpstreamService } from '../upstream/upstream-service.js'
import { headerTag } from '../upstream/upstream-etags.js'
import type { V2Model } from './v2-model.js'
import type { V2Settings } from './v2-options.js'

/** The model and the settings that all entity sets of a V2 service share. */
export interface V2Service extends UpstreamService {
  readonly model: V2Model
  readonly settings: V2Settings
}

/** Verbose JSON of OData V2, and its options and changes. */
export const v2Protocol: UpstreamProtocol = {
  accept: 'application/json',
  contentType: 'application/json',
  contentOf: ({ d }) => d,
  pageOf,
  nestedPageOf: (entity, name) => pageOf(entity[name]),
  sortsNested: false,
  countOption: ['$inlinecount', 'allpages'],
  etagOfRow: ({ __metadata }) => {
    const etag = isRecord(__metadata) ? __metadata.etag : undefined
    return typeof etag === 'string' && etag !== '' ? headerTag(etag) : undefined
  },
  etagOf: (header) => header,
  updateMethod: 'MERGE',
  updateInserts: false,
  preference: () => ({}),
  link: ({ path, name, isCollection, root, target }) => ({
    method: isCollection ? 'POST' : 'PUT',
    path: `${path}/$links/${encodeURIComponent(name)}`,
    body: { uri: root + target },
  }),
  unlink: ({ path, name, isCollection, targetKey }) => ({
    method: 'DELETE',
    path: `${path}/$links/${encodeURIComponent(name)}${isCollection ? targetKey : ''}`,
  }),
}

function pageOf(content: unknown): PageContent {
  // Services of version 1.0 send an array.
  if (Array.isArray(content)) return { value: content }
  return isRecord(content) ? { value: content.results, count: content.__count, link: content.__next } : {}
}
