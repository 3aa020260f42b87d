import { csdl4Namespace } from '../../xml/namespaces.js'
import { attributeOf, childElements, textOf } from '../../xml/xml-element.js'
import type { Annotatable, AnnotationElement } from '../annotations.js'

const TERM = 'Org.OData.Validation.V1.AllowedValues'

/** Creates the annotation for the values that a property accepts, from which clients can offer a choice. */
export function allowedValues(values: readonly string[]): AnnotationElement {
  const records = values.map((value) =>
    element('Record', {}, [element('PropertyValue', { Property: 'Value', String: value })]),
  )
  return element('Annotation', { Term: TERM }, [element('Collection', {}, records)])
}

/** Returns the strings that a property accepts according to its annotation; undefined without one. */
export function allowedStrings({
  annotations,
}: Partial<Annotatable>): readonly [string, ...string[]] | undefined {
  const annotation = annotations?.elements.find((one) => attributeOf(one, 'Term') === TERM)
  if (annotation === undefined) return undefined
  const [first, ...others] = childElements(annotation)
    .flatMap(childElements)
    .flatMap(childElements)
    .filter((value) => attributeOf(value, 'Property') === 'Value')
    .map((value) => attributeOf(value, 'String') ?? textOf(value).trim())
  return first === undefined ? undefined : [first, ...others]
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
