import type { Expression } from '../query/expression.js'
import type { Expansion } from '../query/projection.js'
import type { EntitySource, FunctionCall } from '../query/request-target.js'

/** A part of a request with restrictions of its own: an entity or a call on the path, or an expansion. */
type RestrictedPart = EntitySource | FunctionCall | Expansion

/** The restrictions of the parts of a request. */
export interface Restrictions {
  /** Returns the conditions that entities of this part must meet. */
  of(part: RestrictedPart): readonly Expression[]
  /** The conditions of all parts, in an order that is the same for the same request. */
  readonly all: readonly (readonly Expression[])[]
}

/** The restrictions of a request without `authorize`. */
export const unrestricted: Restrictions = { of: () => [], all: [] }

/** Restrictions by part. A part without an entry is an error: it is not unrestricted. */
export class PartRestrictions implements Restrictions {
  private readonly parts = new Map<RestrictedPart, readonly Expression[]>()

  add(part: RestrictedPart, expressions: readonly Expression[]): void {
    this.parts.set(part, expressions)
  }

  of(part: RestrictedPart): readonly Expression[] {
    const expressions = this.parts.get(part)
    if (expressions === undefined) throw new TypeError('A part of the request was not authorized.')
    return expressions
  }

  get all(): readonly (readonly Expression[])[] {
    return [...this.parts.values()]
  }
}

/** Adds the restrictions of the steps of computed properties. */
export function withComputed(
  restrictions: Restrictions,
  steps: readonly (readonly Expression[])[],
): Restrictions {
  if (steps.length === 0) return restrictions
  return { of: (part) => restrictions.of(part), all: [...restrictions.all, ...steps] }
}
