import type { EdmModel } from '../../edm/edm-model.js'
import type { AnnotationSet } from '../../edm/vocabularies/annotate.js'
import { checkChoice, checkNames, invalid } from '../../errors/check-option.js'
import { isRecord } from '../../util/is-record.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { checkAnnotations } from './check-annotations.js'
import { parseAnnotations } from './parse-annotations.js'
import { serializeAnnotations } from './serialize-annotations.js'

/** Annotations: the result of {@link annotate}, or XML with `<Annotations>` elements. */
export type AnnotationSource = AnnotationSet | string

/** Annotations and the documents that contain them. */
export interface AnnotationOptions {
  readonly source: AnnotationSource
  /** `$metadata`, a document of its own at `$annotations`, or both. Default: `metadata`. */
  readonly place?: 'metadata' | 'document' | 'both' | undefined
}

/** Validated annotations. */
export interface AnnotationSettings {
  /** `Annotations` elements with full names. */
  readonly elements: readonly XmlElement[]
  readonly isInMetadata: boolean
  readonly isDocument: boolean
}

/**
 * Validates the option `annotations`.
 *
 * @throws ConfigurationError for malformed annotations, and targets or paths that the model does not have
 */
export function annotationSettingsOf(
  option: AnnotationSource | AnnotationOptions | undefined,
  model: EdmModel,
): AnnotationSettings | undefined {
  if (option === undefined) return undefined
  const { source, place = 'metadata' } = optionsOf(option)
  checkChoice('annotations.place', place, ['metadata', 'document', 'both'])
  const elements = elementsOf(source)
  checkAnnotations(elements, model)
  return { elements, isInMetadata: place !== 'document', isDocument: place !== 'metadata' }
}

function optionsOf(option: AnnotationSource | AnnotationOptions): AnnotationOptions {
  if (typeof option === 'string' || isSet(option)) return { source: option }
  if (!isRecord(option)) throw invalid('annotations must be the result of annotate(model, { … }), or XML')
  checkNames(option, ['source', 'place'], 'an option', 'annotations.')
  return option
}

function elementsOf(source: AnnotationSource): XmlElement[] {
  if (typeof source === 'string') return parseAnnotations(source)
  if (!isSet(source)) throw invalid('annotations.source must be the result of annotate(model, { … }), or XML')
  return serializeAnnotations(source)
}

function isSet(given: unknown): given is AnnotationSet {
  return isRecord(given) && given.kind === 'Annotations' && isRecord(given.targets)
}
