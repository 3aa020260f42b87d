import type { Labels } from '../../csdl/localized-model.js'
import type { Annotatable } from '../../edm/annotations.js'
import { annotationValue, sapNamespace } from '../../edm/annotations.js'

/**
 * Returns the heading of a column: the label of a property, otherwise its name.
 *
 * @param labels of the language of the response, which precede those of the model
 */
export function headingOf(
  element: Annotatable & { readonly name: string },
  labels: Labels | undefined,
): string {
  const label = labels?.get(element)?.label ?? annotationValue(element, sapNamespace, 'label')
  return label === undefined || label === '' ? element.name : label
}
