/** What can stand in a JSON document. Members that are undefined are not there. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json | undefined
}

/** Points to a component of the document. */
export function reference(kind: string, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` }
}

/** An object without the members that would be empty or undefined. */
export function present(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && !isEmptyList(value)),
  )
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0
}
