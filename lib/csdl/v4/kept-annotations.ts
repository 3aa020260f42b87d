import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf } from '../../xml/xml-element.js'
import { elementOf } from '../annotations/serialize-annotations.js'
import type { V4Operations } from './build-v4-operations.js'
import type { V4Context } from './v4-context.js'

/** Terms whose meaning is part of the V2 model, or that only clients of V4 understand. */
const dropped: ReadonlySet<string> = new Set([
  'Org.OData.Core.V1.ComputedDefaultValue',
  'Org.OData.Core.V1.OptionalParameter',
  'Org.OData.Capabilities.V1.KeyAsSegmentSupported',
  'Org.OData.Capabilities.V1.BatchSupport',
  'Org.OData.Capabilities.V1.BatchSupported',
  'Org.OData.Core.V1.ODataVersions',
  'Org.OData.Core.V1.SchemaVersion',
])

/**
 * Returns the annotations of the elements that the V2 model has, in `Annotations` elements with its names. Bound actions
 * become function imports: `Shop.approve` becomes `Shop.Container/Orders_approve`.
 */
export function keptAnnotations(
  { annotations, targets }: V4Context,
  container: string,
  { bound }: V4Operations,
): readonly XmlElement[] {
  return [...targets].flatMap(([target, v2Targets]) => {
    const found = (annotations.get(target) ?? []).filter(
      (one) => !dropped.has(attributeOf(one, 'Term') ?? ''),
    )
    if (found.length === 0) return []
    return v2Targets.map((v2Target) => {
      const set = v2Target.startsWith(`${container}/`) ? v2Target.slice(container.length + 1) : undefined
      const operationName = (name: string): string | undefined => {
        const sets = bound.get(name.replace(/\(.*\)$/, ''))
        const chosen = (set === undefined ? undefined : sets?.get(set)) ?? sets?.values().next().value
        return chosen === undefined ? undefined : `${container}/${chosen}`
      }
      return elementOf(
        'Annotations',
        { Target: v2Target },
        found.map((one) => withOperations(one, operationName)),
      )
    })
  })
}

/** Replaces the names of bound operations in the members `Action`, `EditAction`, and so on. */
function withOperations(element: XmlElement, nameOf: (name: string) => string | undefined): XmlElement {
  const isAction = attributeOf(element, 'Property')?.endsWith('Action') === true
  return {
    ...element,
    attributes: element.attributes.map((one) =>
      isAction && one.name === 'String' ? { ...one, value: nameOf(one.value) ?? one.value } : one,
    ),
    children: element.children.map((child) => {
      if (typeof child !== 'string') return withOperations(child, nameOf)
      return child
    }),
  }
}
