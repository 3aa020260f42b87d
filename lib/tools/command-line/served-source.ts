import type { EdmModel } from '../../edm/edm-model.js'
import type { Provider } from '../../provider/provider.js'

/**
 * Puts a provider in the place of the one before, which nobody uses any more when the other one is made.
 *
 * @param load makes the provider; when it throws, the one before stays
 */
export type ReplaceProvider = (load: () => Promise<Provider>) => Promise<void>

/** What a source of the command line is served from. */
export interface ServedSource {
  /** What it is, in words: `the database shop.sqlite`. Passwords are not in it. */
  readonly title: string
  readonly model: EdmModel
  readonly provider: Provider
  /** Sentences about what is not served, or not as it could be expected. */
  readonly notices: readonly string[]
  /** Whether clients can change data, with `--writable`. */
  readonly isChangeable: boolean
  /** Is told how a provider takes the place of the one before, when its data are to be read again. */
  readonly onReload?: (exchange: ReplaceProvider) => void
  /** Releases what has been opened. */
  readonly close: () => Promise<void>
}
