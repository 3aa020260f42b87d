import type { Annotatable } from '../annotations.js'
import { noAnnotations, notAnnotated } from '../annotations.js'
import type { AnnotatedDefinition } from '../model-definition.js'
import { attributesOfFacets } from '../sap-facets.js'

/**
 * Returns the documentation and annotations of a definition as members of a model element. Spread them at the end of an
 * object literal: V8 stores the members after a spread outside of the object, which takes more memory.
 */
export function annotated(definition: AnnotatedDefinition | undefined): Annotatable {
  const { documentation, annotations, sap } = definition ?? {}
  if (documentation === undefined && annotations === undefined && sap === undefined) return notAnnotated
  const facets = sap === undefined ? [] : attributesOfFacets(sap)
  return {
    ...(documentation === undefined ? {} : { documentation }),
    annotations:
      annotations === undefined
        ? facets.length === 0
          ? noAnnotations
          : { ...noAnnotations, attributes: facets }
        : {
            attributes: [...facets, ...(annotations.attributes ?? [])],
            elements: annotations.elements ?? [],
            ...(annotations.parts === undefined ? {} : { parts: annotations.parts }),
          },
  }
}

/** A model element under construction. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] }
