import { checkAnnotations, typeOfTarget } from '../../../csdl/annotations/check-annotations.js'
import { parseAnnotations } from '../../../csdl/annotations/parse-annotations.js'
import type { EdmModel } from '../../../edm/edm-model.js'
import { ConfigurationError } from '../../../errors/check-option.js'
import { csdl4Namespace } from '../../../xml/namespaces.js'
import type { XmlElement } from '../../../xml/xml-element.js'
import { attributeOf } from '../../../xml/xml-element.js'
import { assert } from '../assertions.js'
import type { Check, Need } from '../check.js'
import { section } from '../check.js'
import { CheckFailure } from '../response.js'

/** The `Annotations` elements of a metadata document. */
interface AnnotatedModel {
  readonly model: EdmModel
  readonly groups: readonly XmlElement[]
}

const annotatedModel: Need<AnnotatedModel> = {
  description: 'a metadata document with annotations of OData V4',
  find: async (audit) => {
    const model = await audit.service.model()
    const { text } = await audit.get('$metadata')
    if (model === undefined || !text.includes(csdl4Namespace)) return undefined
    const groups = errorOf(() => parseAnnotations(text))
    return Array.isArray(groups) ? { model, groups } : undefined
  },
}

const annotations = section('OData CSDL 4.0 14.2 (edm:Annotations)', annotatedModel)

/** Returns the result of a function, or the message of its ConfigurationError. */
function errorOf<Result>(check: () => Result): Result | string {
  try {
    return check()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.replace(/^annotations: /, '')
    throw error
  }
}

/** Vocabulary annotations, which Fiori elements reads. */
export const annotationChecks: readonly Check[] = [
  annotations.should('ODATA-ANNOTATION-001', 'Targets of annotations exist.', (_audit, subject) => {
    for (const group of subject.groups) {
      const found = errorOf(() => typeOfTarget(attributeOf(group, 'Target') ?? '', subject.model))
      if (typeof found === 'string') throw new CheckFailure(found)
    }
  }),
  annotations.should(
    'ODATA-ANNOTATION-002',
    'Paths and value lists of annotations lead to elements of the model.',
    (_audit, { groups, model }) => {
      for (const group of groups) {
        const target = attributeOf(group, 'Target') ?? ''
        if (typeof errorOf(() => typeOfTarget(target, model)) === 'string') continue
        const error = errorOf(() => {
          checkAnnotations([group], model)
        })
        assert(error === undefined, String(error))
      }
    },
  ),
]
