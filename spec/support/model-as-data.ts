import type { EdmModel } from '../../lib/edm/edm-model.js'

/**
 * A model as plain data that can be compared: without its functions, and with names in the place of what has been
 * shown before, since types, navigation properties and associations refer to each other in circles.
 */
export function modelAsData(model: EdmModel): unknown {
  return copy(model, new Set())
}

function copy(value: unknown, seen: Set<object>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Map) return copy(Object.fromEntries(value), seen)
  if (Array.isArray(value)) return value.map((one) => copy(one, seen))
  const members = value as Readonly<Record<string, unknown>>
  const label = [members.qualifiedName, members.name, members.role].find((one) => typeof one === 'string')
  // Only elements of the model refer to each other; annotations are data, which several of them may share.
  const isElement = label !== undefined && 'annotations' in members
  if (isElement && seen.has(value)) return `→ ${label}`
  if (isElement) seen.add(value)
  return Object.fromEntries(
    Object.keys(members)
      .sort()
      .filter((name) => members[name] !== undefined && typeof members[name] !== 'function')
      .map((name) => [name, copy(members[name], seen)]),
  )
}
