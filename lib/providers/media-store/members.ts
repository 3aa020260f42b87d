/**
 * Copies the members of an object, including the methods that it inherits from its class. Own functions are not bound,
 * because they are compared.
 */
export function membersOf<T extends object>(object: T): T {
  const members: Record<string, unknown> = {}
  for (let owner: object | null = object; owner !== null && owner !== Object.prototype;) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (name === 'constructor' || name in members) continue
      const value = (object as Record<string, unknown>)[name]
      const isInherited = owner !== object && typeof value === 'function'
      members[name] = isInherited ? (value.bind(object) as unknown) : value
    }
    owner = Object.getPrototypeOf(owner) as object | null
  }
  return members as T
}
