/** Marks a place that the type system proves unreachable: adding a member to a union breaks the build here. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`)
}
