/**
 * Freezes plain data all the way down and returns it: objects, arrays and what maps hold. Whatever has a class of its
 * own, such as dates and bytes, is left as it is. Objects may refer to each other in circles.
 */
export function deepFreeze<T>(value: T): T {
  freeze(value, new Set())
  return value
}

function freeze(value: unknown, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (value instanceof Map) {
    for (const member of value.values()) freeze(member, seen)
  } else if (isPlain(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) freeze(member, seen)
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}
