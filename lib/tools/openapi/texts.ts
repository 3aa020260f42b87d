import type { Annotatable } from '../../edm/annotations.js'
import { annotationValue, sapNamespace } from '../../edm/annotations.js'

/** How people call an element: its `sap:label`. */
export function labelOf(element: Annotatable): string | undefined {
  return textOf(annotationValue(element, sapNamespace, 'label'))
}

/** What an element is, from its documentation or `sap:quickinfo`. */
export function descriptionOf(element: Annotatable): string | undefined {
  const { summary, longDescription } = element.documentation ?? {}
  const texts = [textOf(summary), textOf(longDescription)].filter((one) => one !== undefined)
  if (texts.length > 0) return texts.join('\n\n')
  return textOf(annotationValue(element, sapNamespace, 'quickinfo'))
}

function textOf(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}
