import type { RefusedParts } from './refused-parts.js'
import type { UpstreamBatches } from './upstream-batches.js'
import type { UpstreamClient } from './upstream-client.js'
import type { UpstreamModel } from './upstream-model.js'
import type { UpstreamProtocol } from './upstream-protocol.js'

/** The client, the protocol and the model that all entity sets of an upstream service share. */
export interface UpstreamService {
  readonly client: UpstreamClient
  readonly protocol: UpstreamProtocol
  readonly batches: UpstreamBatches
  /** The parts of queries that the service has refused. */
  readonly refused: RefusedParts
  readonly model: UpstreamModel
}
