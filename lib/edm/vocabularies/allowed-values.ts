import { csdl4Namespace } from '../../xml/namespaces.js'
import type { AnnotationElement } from '../annotations.js'

/** Creates the annotation for the values that a property accepts, from which clients can offer a choice. */
export function allowedValues(values: readonly string[]): AnnotationElement {
  const records = values.map((value) =>
    element('Record', {}, [element('PropertyValue', { Property: 'Value', String: value })]),
  )
  const term = { Term: 'Org.OData.Validation.V1.AllowedValues' }
  return element('Annotation', term, [element('Collection', {}, records)])
}

function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly AnnotationElement[] = [],
): AnnotationElement {
  const all = Object.entries(attributes).map(([attribute, value]) => ({
    namespace: '',
    prefix: '',
    name: attribute,
    value,
  }))
  return { namespace: csdl4Namespace, prefix: '', name, attributes: all, children }
}
