import type { Annotatable } from '../annotations.js'
import { noAnnotations } from '../annotations.js'
import type { AnnotatedDefinition } from '../model-definition.js'
import { attributesOfFacets } from '../sap-facets.js'

/** Returns the documentation and annotations of a definition as members of a model element. */
export function annotated(definition: AnnotatedDefinition | undefined): Annotatable {
  const { documentation, annotations, sap } = definition ?? {}
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
