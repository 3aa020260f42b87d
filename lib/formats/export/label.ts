import type { Annotatable } from '../../edm/annotations.js'
import { annotationValue, sapNamespace } from '../../edm/annotations.js'

/** Returns the heading of a column: the label of a property, otherwise its name. */
export function headingOf(element: Annotatable & { readonly name: string }): string {
  const label = annotationValue(element, sapNamespace, 'label')
  return label === undefined || label === '' ? element.name : label
}
