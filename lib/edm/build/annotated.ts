import type { Annotatable } from '../annotations.js'
import { noAnnotations } from '../annotations.js'
import type { AnnotatedDefinition } from '../model-definition.js'

/** Returns the documentation and annotations of a definition as members of a model element. */
export function annotated(definition: AnnotatedDefinition | undefined): Annotatable {
  const { documentation, annotations } = definition ?? {}
  return {
    ...(documentation === undefined ? {} : { documentation }),
    annotations:
      annotations === undefined
        ? noAnnotations
        : {
            attributes: annotations.attributes ?? [],
            elements: annotations.elements ?? [],
            ...(annotations.parts === undefined ? {} : { parts: annotations.parts }),
          },
  }
}

/** A model element under construction. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] }
