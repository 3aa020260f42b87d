import type { EdmModel } from '../../edm/edm-model.js'
import type { AnnotationSet } from '../../edm/vocabularies/annotate.js'
import { checkChoice, checkNames, invalid } from '../../errors/check-option.js'
import { isRecord } from '../../util/is-record.js'
import type { XmlElement } from '../../xml/xml-element.js'
import type { NamedLabels } from '../localized-model.js'
import { checkAnnotations } from './check-annotations.js'
import { TranslationChooser, serializeAnnotations } from './serialize-annotations.js'
import { parseAnnotations } from './parse-annotations.js'
import { sapEquivalents } from './sap-equivalents.js'

/**
 * Annotations: the result of {@link annotate}, or XML with `<Annotations>` elements.
 *
 * @example const annotations: AnnotationSource = await readFile('annotations.xml', 'utf8')
 */
export type AnnotationSource = AnnotationSet | string

/**
 * Annotations and the documents that contain them.
 *
 * @example
 * const source = annotate(model, {}, { lists: true })
 * app.use('/shop', odataV2(model, provider, { annotations: { source, place: 'document' } }))
 */
export interface AnnotationOptions {
  /** The annotations. Names that the model does not have are an error at start-up. */
  readonly source: AnnotationSource
  /** `$metadata`, a document of its own at `$annotations`, or both. Default: `metadata`. */
  readonly place?: 'metadata' | 'document' | 'both' | undefined
}

/** Validated annotations. */
export interface AnnotationSettings {
  /**
   * Returns `Annotations` elements with full names, in a language of the service.
   *
   * @param tag the language; by default the default language
   */
  readonly elements: (tag?: string) => readonly XmlElement[]
  /** Returns the labels of a language that the model does not have, and that differ from those of the default language. */
  readonly labels: (tag: string) => NamedLabels
  readonly isInMetadata: boolean
  readonly isDocument: boolean
}

/**
 * Validates the option `annotations`.
 *
 * @param tags the languages of the service, the default first; empty for a service without languages
 * @throws ConfigurationError for malformed annotations, and targets or paths that the model does not have
 */
export function annotationSettingsOf(
  option: AnnotationSource | AnnotationOptions | undefined,
  model: EdmModel,
  tags: readonly string[],
): AnnotationSettings | undefined {
  if (option === undefined) return undefined
  const { source, place = 'metadata' } = optionsOf(option)
  checkChoice('annotations.place', place, ['metadata', 'document', 'both'])
  const elements = elementsOf(source, tags)
  checkAnnotations(elements(), model)
  return {
    elements,
    labels: (tag) => (elements(tag) === elements() ? new Map() : sapEquivalents(model, elements(tag))),
    isInMetadata: place !== 'document',
    isDocument: place !== 'metadata',
  }
}

function optionsOf(option: AnnotationSource | AnnotationOptions): AnnotationOptions {
  if (typeof option === 'string' || isSet(option)) return { source: option }
  if (!isRecord(option)) throw invalid('annotations must be the result of annotate(model, { … }), or XML')
  checkNames(option, ['source', 'place'], 'an option', 'annotations.')
  return option
}

function elementsOf(source: AnnotationSource, tags: readonly string[]): AnnotationSettings['elements'] {
  if (typeof source === 'string') {
    const elements = parseAnnotations(source)
    return () => elements
  }
  if (!isSet(source)) throw invalid('annotations.source must be the result of annotate(model, { … }), or XML')
  const texts = new TranslationChooser(tags)
  const elements = serializeAnnotations(source, texts)
  if (!texts.hasTranslations) return () => elements
  const byTag = new Map(
    tags.map((tag) => [tag, serializeAnnotations(source, new TranslationChooser(tags, tag))]),
  )
  return (tag) => byTag.get(tag ?? '') ?? elements
}

function isSet(given: unknown): given is AnnotationSet {
  return isRecord(given) && given.kind === 'Annotations' && isRecord(given.targets)
}
