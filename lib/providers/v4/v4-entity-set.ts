import type { EntitySetProvider } from '../../provider/provider.js'
import type { V4Client } from './v4-client.js'
import type { V4Model } from './v4-model.js'
import type { V4Settings } from './v4-options.js'

/** The client, the model and the settings that all entity sets of a service share. */
export interface V4Service {
  readonly client: V4Client
  readonly model: V4Model
  readonly settings: V4Settings
}

/** Creates the provider of an entity set. */
export function v4EntitySet(_service: V4Service, _path: string): EntitySetProvider {
  return { read: () => [] }
}
