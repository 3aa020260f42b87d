import type { Annotatable } from '../annotations.js'
import { noAnnotations } from '../annotations.js'
import type { AnnotatedDefinition } from '../model-definition.js'

/** The documentation and annotations of a definition, in the form that the model has them. */
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

/** An element while it is being built; the finished model is read-only. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] }
