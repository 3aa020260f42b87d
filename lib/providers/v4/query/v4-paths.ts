import type { V4PropertyMapping, V4TypeMapping } from '../../../csdl/v4/v4-mapping.js'
import type { PathStep, PropertyPath } from '../../../query/expression.js'
import type { V4Model } from '../v4-model.js'

/** A property in the V4 service. */
interface V4Path {
  /** Percent-encoding is not needed: names consist of letters and digits. */
  readonly text: string
  readonly property: V4PropertyMapping
  /** True if the value can be null, or an entity on the path can be missing. */
  readonly isNullable: boolean
  readonly hasNavigation: boolean
}

/**
 * Returns the path of a property in the V4 service.
 *
 * @returns undefined for computed properties, and for paths over entities that the caller may not see
 */
export function v4PathOf(path: PropertyPath, type: V4TypeMapping, model: V4Model): V4Path | undefined {
  if (path.property.computed !== undefined) return undefined
  let current: V4TypeMapping | undefined = type
  let isNullable = path.property.nullable && !path.property.isKey
  let hasNavigation = false
  const names: string[] = []
  for (const step of path.steps) {
    if (current === undefined) return undefined
    if (step.kind !== 'TypeCast') isNullable = true
    hasNavigation ||= step.kind === 'Navigation'
    const next: Step | undefined = stepOf(step, current, model)
    if (next === undefined) return undefined
    names.push(next.name)
    current = next.type
  }
  const property = current?.properties.get(path.property.name)
  if (property === undefined) return undefined
  names.push(property.name)
  return { text: names.join('/'), property, isNullable, hasNavigation }
}

interface Step {
  readonly name: string
  readonly type: V4TypeMapping
}

function stepOf(step: PathStep, type: V4TypeMapping, model: V4Model): Step | undefined {
  switch (step.kind) {
    case 'Navigation': {
      const name = type.navigations.get(step.navigation.name)
      const isAllowed = step.restriction === undefined && step.isComputed !== true
      const target = model.types.get(step.navigation.targetType.qualifiedName)
      return name === undefined || target === undefined || !isAllowed ? undefined : { name, type: target }
    }
    case 'Complex': {
      const property = type.properties.get(step.property.name)
      return property?.type.kind === 'complex' ? { name: property.name, type: property.type.type } : undefined
    }
    case 'TypeCast': {
      const target = model.types.get(step.type.qualifiedName)
      return target && { name: target.name, type: target }
    }
  }
}
