import type { EdmModel } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { Property, StructuralType } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { SqlMapping } from './sql-mapping.js'

/** What a mapping says of things that the model does not have, which must be a slip. */
export function faultsOfMapping(model: EdmModel, mapping: SqlMapping): string[] {
  const sets = new Map(model.entityContainers.flatMap((one) => one.entitySets.map((set) => [set.path, set])))
  const links = new Map(
    model.entityContainers.flatMap((one) => one.associationSets.map((set) => [set.name, set])),
  )
  const faults: string[] = []
  for (const [name, { columns = {} }] of Object.entries(mapping.entitySets ?? {})) {
    const set = sets.get(name)
    if (set === undefined) {
      faults.push(
        `The mapping names an entity set '${name}', which the model does not have.${didYouMean(name, sets.keys())}`,
      )
      continue
    }
    const { entityType } = set
    const paths = new Set([entityType, ...entityType.derivedTypes].flatMap((type) => pathsOf(type)))
    for (const path of Object.keys(columns)) {
      if (paths.has(path)) continue
      faults.push(
        `The mapping of '${name}' names a property '${path}', which the model does not have.${didYouMean(path, paths)}`,
      )
    }
  }
  for (const [name, { columns = {} }] of Object.entries(mapping.associationSets ?? {})) {
    const ends = links.get(name)?.ends
    if (ends === undefined) {
      faults.push(
        `The mapping names an association set '${name}', which the model does not have.${didYouMean(name, links.keys())}`,
      )
      continue
    }
    const roles = ends.map(({ role }) => role)
    for (const role of Object.keys(columns)) {
      if (roles.includes(role)) continue
      faults.push(
        `The mapping of '${name}' names a role '${role}', which the model does not have.${didYouMean(role, roles)}`,
      )
    }
  }
  return faults
}

function pathsOf({ properties }: StructuralType, owner = ''): string[] {
  return properties.flatMap(({ name, type }: Property) =>
    isPrimitive(type) ? [owner + name] : pathsOf(type, `${owner}${name}/`),
  )
}
