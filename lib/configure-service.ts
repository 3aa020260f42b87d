import type { AnnotationSettings } from './csdl/annotations/annotation-options.js'
import { annotationSettingsOf } from './csdl/annotations/annotation-options.js'
import { withSapEquivalents } from './csdl/annotations/sap-equivalents.js'
import { computedModel } from './csdl/computed-model.js'
import type { EdmModel } from './edm/edm-model.js'
import { languageTags } from './http/language-options.js'
import type { ServiceOptions, Settings } from './options.js'
import { settingsOf } from './options.js'

/** The model of a service and its validated options. */
interface ServiceConfiguration {
  /** The model of the application with computed properties, and with the labels of annotations. */
  readonly model: EdmModel
  readonly settings: Settings
}

/**
 * Validates the options of a service, and adds to its model what they declare.
 *
 * @param hostOptions names of additional options of the host
 * @throws ConfigurationError for an invalid option
 */
export function configureService<Context>(
  givenModel: EdmModel,
  options: ServiceOptions<Context>,
  hostOptions: readonly string[] = [],
): ServiceConfiguration {
  const annotations = annotationsOf(givenModel, options)
  const annotated =
    annotations === undefined ? givenModel : withSapEquivalents(givenModel, annotations.elements())
  const model = computedModel(annotated, (options as typeof options | null)?.computed)
  return { model, settings: settingsOf(options, model, hostOptions, annotations) }
}

function annotationsOf<Context>(
  model: EdmModel,
  options: ServiceOptions<Context>,
): AnnotationSettings | undefined {
  const given = options as typeof options | null
  if (given?.annotations === undefined) return undefined
  return annotationSettingsOf(given.annotations, model, languageTags(given.languages))
}
