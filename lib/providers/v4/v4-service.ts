import type { UnsupportedForms } from '../upstream/unsupported-forms.js'
import type { UpstreamClient } from '../upstream/upstream-client.js'
import type { V4Model } from './v4-model.js'
import type { V4Settings } from './v4-options.js'

/** The client, the model and the settings that all entity sets of a service share. */
export interface V4Service {
  readonly client: UpstreamClient
  readonly model: V4Model
  readonly settings: V4Settings
  /** The forms of queries that the service has refused. */
  readonly unsupported: UnsupportedForms
}
