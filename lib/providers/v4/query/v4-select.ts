import { required } from '../../../util/required.js'
import type { V4Model } from '../v4-model.js'

/** Returns the names for `$select`; undefined for all properties. @param path of the set in the V2 model */
export function v4Select(
  properties: ReadonlySet<string> | undefined,
  model: V4Model,
  path: string,
): string | undefined {
  if (properties === undefined) return undefined
  const { type } = model.set(path)
  const names = new Set<string>()
  for (const { name } of model.entityType(path).key) names.add(required(type.properties.get(name)).name)
  for (const name of properties) {
    const property = type.properties.get(name)
    if (property !== undefined) names.add(property.name)
    else for (const one of inDerived(name, model, path)) names.add(one)
  }
  // The media type of a stream property is sent only if the property is selected.
  const { stream } = type
  if (stream !== undefined && stream !== '$value') names.add(stream)
  return [...names].join()
}

function* inDerived(name: string, model: V4Model, path: string): Generator<string> {
  for (const { qualifiedName } of model.entityType(path).derivedTypes) {
    const type = model.types.get(qualifiedName)
    const property = type?.properties.get(name)
    if (type !== undefined && property !== undefined) yield `${type.name}/${property.name}`
  }
}
