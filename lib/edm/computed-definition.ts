/**
 * Where the value of a computed property comes from: an expression, a function, or nothing for a virtual property. The
 * functions get rows and calls of the service, whose types are those of `ComputedProperty`.
 */
export interface ComputedDefinition {
  /** In the syntax of `$filter`. */
  readonly expression?: string | undefined
  /** The names of the properties that the functions get. */
  readonly needs?: readonly string[] | undefined
  readonly value?: ((row: never, call: never) => unknown) | undefined
  readonly values?: ((rows: never, call: never) => unknown) | undefined
  /** True if `$filter` and `$orderby` may use the property, which reads all entities. */
  readonly scan?: boolean | undefined
}

/** Returns true if an application function computes the value. Its result may depend on anything. */
export function isFunction({ value, values }: ComputedDefinition): boolean {
  return value !== undefined || values !== undefined
}
