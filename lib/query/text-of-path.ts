import type { EntityPath, PathStep, PropertyPath } from './expression.js'

/** A path as clients write it, without the casts on the way: `Customer/Address/Zip`. */
export function textOfPath(path: PropertyPath | EntityPath): string {
  const names = path.steps.flatMap(nameOf)
  return (path.kind === 'PropertyPath' ? [...names, path.property.name] : names).join('/')
}

function nameOf(step: PathStep): string[] {
  switch (step.kind) {
    case 'Navigation':
      return [step.navigation.name]
    case 'Complex':
      return [step.property.name]
    case 'TypeCast':
      return []
  }
}
