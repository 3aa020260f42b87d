import type { EdmModel } from '../../edm/edm-model.js'
import type { XmlElement } from '../../xml/xml-element.js'
import type { NamedLabels } from '../localized-model.js'
import type { AnnotationSettings } from './annotation-options.js'
import { localizedAnnotations } from './localized-annotations.js'
import { withSearchSupported } from './search-supported.js'

/** The language of a document, with its labels. */
interface DocumentLanguage {
  readonly tag: string
  readonly namedLabels: NamedLabels
}

/**
 * Returns the `Annotations` elements of a document.
 *
 * @param searched the paths of the entity sets that the service searches
 * @param language undefined for a service without languages
 */
export function servedElements(
  annotations: AnnotationSettings,
  model: EdmModel,
  searched: ReadonlyMap<string, unknown>,
  language: DocumentLanguage | undefined,
): readonly XmlElement[] {
  const elements = annotations.elements(language?.tag)
  const localized =
    language === undefined ? elements : localizedAnnotations(elements, model, language.namedLabels)
  return localized.map((element) => withSearchSupported(element, searched))
}
