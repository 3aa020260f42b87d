import { invalid } from '../../errors/check-option.js'
import { isRecord } from '../../util/is-record.js'

/** Chooses among translations such as `{ en: 'Product', de: 'Produkt' }`. */
export class TranslationChooser {
  /** True after a translation was chosen. */
  hasTranslations = false

  /**
   * @param tags the languages of the service, the default first; empty for a service without languages
   * @param tag the language of the chosen translations
   */
  constructor(
    private readonly tags: readonly string[],
    private readonly tag = tags[0],
  ) {}

  /**
   * Returns the translation of the language, or that of the default language.
   *
   * @throws ConfigurationError for another language, and without translation into the default language
   */
  choose(texts: Readonly<Record<string, string>>, place: string): string {
    const [defaultTag] = this.tags
    if (defaultTag === undefined) {
      throw invalid(`${place} has translations, which need the option languages`)
    }
    this.hasTranslations = true
    const unknown = Object.keys(texts).find((name) => !this.tags.includes(canonical(name)))
    if (unknown !== undefined) {
      const known = this.tags.join(', ')
      throw invalid(`${place}: '${unknown}' is not a language of the service. Its languages are ${known}.`)
    }
    const byTag = new Map(Object.entries(texts).map(([name, text]) => [canonical(name), text]))
    const text = byTag.get(this.tag ?? defaultTag) ?? byTag.get(defaultTag)
    if (text === undefined) throw invalid(`${place} has no text in the default language '${defaultTag}'`)
    return text
  }
}

/** Returns true for translations: names of members of records start with an uppercase letter. */
export function isLocalized(value: unknown): value is Readonly<Record<string, string>> {
  if (!isRecord(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length > 0 &&
    entries.every(([name, text]) => /^[a-z]{2,3}(?:-[A-Za-z0-9]+)*$/.test(name) && typeof text === 'string')
  )
}

function canonical(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag
  } catch {
    return tag
  }
}
