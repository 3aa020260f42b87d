/**
 * Freezes plain data all the way down and returns it: objects, arrays and what maps hold. Whatever has a class of its
 * own, such as dates and bytes, is left as it is. Objects may refer to each other in circles.
 */
export function deepFreeze<T>(value: T): T {
  const seen = new Set<object>()
  // A list and no recursion: in a model each type leads to the next, thousands deep.
  const open: object[] = []
  const add = (member: unknown): void => {
    if (typeof member !== 'object' || member === null || seen.has(member)) return
    seen.add(member)
    open.push(member)
  }
  add(value)
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one instanceof Map) one.forEach(add)
    else if (isPlain(one)) Object.values(Object.freeze(one)).forEach(add)
  }
  return value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}
