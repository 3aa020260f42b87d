import type { Row } from '../../evaluation/row.js'
import type { UpstreamSet } from '../upstream/read-related.js'
import type { V4QueryTranslator } from './query/v4-query.js'
import type { V4Service } from './v4-service.js'

/** An entity set of a V4 service, as the sets whose entities refer to its entities use it. */
export interface V4Set extends UpstreamSet {
  readonly service: V4Service
  readonly translator: V4QueryTranslator
  /** Converts an entity of a response in place. */
  readonly convert: (entity: unknown) => Row
}

/** Returns the set with a path in the V2 model. */
export type SetOf = (path: string) => V4Set
