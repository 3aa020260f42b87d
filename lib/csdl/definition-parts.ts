import type { Annotatable } from '../edm/annotations.js'
import type { AnnotatedDefinition } from '../edm/model-definition.js'

/** Documentation and annotations, as far as there are any. */
export function annotatedDefinition({ documentation, annotations }: Annotatable): AnnotatedDefinition {
  const { attributes, elements, parts } = annotations
  const written = {
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(elements.length === 0 ? {} : { elements }),
    ...(parts === undefined ? {} : { parts }),
  }
  return {
    ...(documentation === undefined ? {} : { documentation }),
    ...part('annotations', written),
  }
}

/** A member that is left out when there is nothing in it. */
export function part<Name extends string, Value extends object>(
  name: Name,
  value: Value,
): Partial<Record<Name, Value>> {
  return Object.keys(value).length === 0 ? {} : ({ [name]: value } as Record<Name, Value>)
}

/** The name of a type or association as it stands in a schema: alone in its own, else qualified. */
export function nameIn(
  namespace: string,
  one: { readonly name: string; readonly namespace: string; readonly qualifiedName: string },
): string {
  return one.namespace === namespace ? one.name : one.qualifiedName
}

/** Definitions by the names of what they define. */
export function byName<T extends { readonly name: string }, Definition>(
  all: readonly T[],
  definitionOf: (one: T) => Definition,
): Record<string, Definition> {
  return Object.fromEntries(all.map((one) => [one.name, definitionOf(one)]))
}
