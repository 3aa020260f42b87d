import type { EdmModel } from '../../edm/edm-model.js'
import type { AnnotationSet } from '../../edm/vocabularies/annotate.js'
import type { Provider } from '../../provider/provider.js'

/**
 * Replaces the provider of a running service after pending requests have finished.
 *
 * @param load creates the new provider; if it throws, the old one stays
 */
export type ReplaceProvider = (load: () => Promise<Provider>) => Promise<void>

/** An opened source. */
export interface ServedSource {
  /** The name of the source: `the database shop.sqlite`, without credentials. */
  readonly title: string
  readonly model: EdmModel
  readonly provider: Provider
  /** Labels, value helps and lists that are derived from the tables of a database. */
  readonly annotations?: AnnotationSet
  /** Messages about parts of the source that are not served, or differ from the expectations of users. */
  readonly notices: readonly string[]
  /** True if clients can change data, with `--writable`. */
  readonly isChangeable: boolean
  /** Receives the function that replaces the provider when files change. */
  readonly onReload?: (replace: ReplaceProvider) => void
  /** Closes files and connections. */
  readonly close: () => Promise<void>
}
