import type { Child } from './dom.js'
import type { FileSet, Model } from './model.js'
import type { PendingChanges } from './pending-changes.js'
import type { ServiceClient } from './service-client.js'

/** The context of all views. */
export interface App {
  /** The title of the service. */
  readonly title: string
  readonly client: ServiceClient
  readonly model: Model
  /** The set of files, if the service has one. */
  readonly files: FileSet | undefined
  /** URL of the files of the explorer, with a trailing slash. */
  readonly ownRoot: string
  readonly hasOpenApi: boolean
  /** The changes that are sent together. */
  readonly changes: PendingChanges
  /** True if the service explains requests. */
  readonly canExplain: boolean
  /** Opens another view: `#/Products`. */
  navigate(hash: string): void
  /** Announces a change to screen readers. */
  announce(text: string): void
}

/** The content of a view, with its title in the history of the browser. */
export interface View {
  readonly title: string
  readonly content: readonly Child[]
}
