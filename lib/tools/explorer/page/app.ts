import type { FileSet } from './file-set.js'
import type { Model } from './model.js'
import type { ServiceClient } from './service-client.js'

/** What every view works with. */
export interface App {
  readonly client: ServiceClient
  readonly model: Model
  /** The set of files, when this is a service of files. */
  readonly files: FileSet | undefined
  /** Address of the page's own files, with a slash at the end. */
  readonly ownRoot: string
  /** Whether the service has a description by OpenAPI. */
  readonly hasOpenApi: boolean
  /** Goes to another view: `#/Products`. */
  go(hash: string): void
  /** Says something to those who cannot see what has changed. */
  announce(text: string): void
}

/** What a view shows, and what it is called in the history of the browser. */
export interface View {
  readonly title: string
  readonly content: readonly (Node | string)[]
}
