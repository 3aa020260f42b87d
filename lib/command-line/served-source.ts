import type { EdmModel } from '../edm/edm-model.js'
import type { Provider } from '../provider/provider.js'

/** What a source of the command line is served from. */
export interface ServedSource {
  /** What it is, in words: `the database shop.sqlite`. Passwords are not in it. */
  readonly title: string
  readonly model: EdmModel
  readonly provider: Provider
  /** Sentences about what is not served, or not as it could be expected. */
  readonly notices: readonly string[]
  /** True when clients change what is kept elsewhere: a database. */
  readonly isChangeable?: boolean
  /** Tells of a provider that takes the place of the one before: its data have been read again. */
  readonly onReload?: (listener: (provider: Provider) => void) => void
  /** Releases what has been opened. */
  readonly close: () => Promise<void>
}
