import { isRecord } from '../../util/is-record.js'
import type { UpstreamProtocol } from '../upstream/upstream-protocol.js'
import type { UpstreamService } from '../upstream/upstream-service.js'
import type { V2Model } from './v2-model.js'
import type { V2Settings } from './v2-options.js'

/** The model and the settings that all entity sets of a V2 service share. */
export interface V2Service extends UpstreamService {
  readonly model: V2Model
  readonly settings: V2Settings
}

/** Verbose JSON of OData V2. */
export const v2Protocol: UpstreamProtocol = {
  accept: 'application/json',
  contentType: 'application/json',
  contentOf: ({ d }) => d,
  pageOf: (content) => {
    // Services of version 1.0 send an array.
    if (Array.isArray(content)) return { value: content }
    return isRecord(content) ? { value: content.results, count: content.__count, link: content.__next } : {}
  },
}
