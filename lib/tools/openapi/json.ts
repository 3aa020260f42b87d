/** A JSON value. Members that are undefined are omitted. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json | undefined
}

/** Returns a reference to a component of the document. */
export function reference(kind: string, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` }
}

/** Returns the schema of an object that has all of these properties. */
export function objectSchema(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: 'object', required: Object.keys(properties), properties }
}

export function stringSchema(description: string): JsonObject {
  return { type: 'string', description }
}

/** Removes undefined members and empty arrays. */
export function present(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
