import { isRecord } from '../../util/is-record.js'
import type { UpstreamProtocol } from '../upstream/upstream-protocol.js'
import type { UpstreamService } from '../upstream/upstream-service.js'
import type { V4Model } from './v4-model.js'
import type { V4Settings } from './v4-options.js'

/** The model and the settings that all entity sets of a V4 service share. */
export interface V4Service extends UpstreamService {
  readonly model: V4Model
  readonly settings: V4Settings
}

/** JSON of OData V4. Numbers of 64 bits and decimals are strings. */
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
}
