import type { EntityType } from '../edm/edm-model.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { PathStep, PropertyPath } from '../query/expression.js'
import type { EvaluationContext } from './evaluation-context.js'
import type { Row } from './row.js'
import { instanceTest, memberReader } from './row.js'

/** Reads the operand of an expression from a row; null for null. */
export type ReadOperand = (row: Row) => Operand | null

/** Compiles a path to a function that reads its property; null if any part of the path is null. */
export function compilePropertyPath(
  path: PropertyPath,
  rootType: EntityType,
  context: EvaluationContext,
): ReadOperand {
  const owner = ownerName(path.steps, rootType)
  const { computed, name } = path.property
  const compute = computed === undefined ? undefined : context.compute?.(path.property, path.steps)
  const read = propertyReader(name, path.type, owner, compute)
  const walk = compileSteps(path.steps, rootType, context)
  if (walk === undefined) return read
  return (row) => {
    const end = walk(row)
    return end === null ? null : read(end)
  }
}

/** Compiles the steps of a path to a function that follows them; undefined without steps. */
export function compileSteps(
  steps: readonly PathStep[],
  rootType: EntityType,
  context: EvaluationContext,
): ((row: Row) => Row | null) | undefined {
  let walk: ((row: Row) => Row | null) | undefined
  let type = rootType
  for (const [index, step] of steps.entries()) {
    const next = compileStep(step, type, steps.slice(0, index), context)
    const before = walk
    walk =
      before === undefined
        ? next
        : (row) => {
            const between = before(row)
            return between === null ? null : next(between)
          }
    if (step.kind === 'Navigation') type = step.navigation.targetType
    if (step.kind === 'TypeCast') type = step.type
  }
  return walk
}

function compileStep(
  step: PathStep,
  type: EntityType,
  before: readonly PathStep[],
  context: EvaluationContext,
): (row: Row) => Row | null {
  switch (step.kind) {
    case 'Navigation':
      return context.navigate(step, before)
    case 'Complex': {
      const read = memberReader(step.property.name)
      return (row) => (read(row) as Row | null | undefined) ?? null
    }
    case 'TypeCast': {
      const isInstance = instanceTest(type, step.type)
      return (row) => (isInstance(row) ? row : null)
    }
  }
}

function ownerName(steps: readonly PathStep[], rootType: EntityType): string {
  let name = rootType.qualifiedName
  for (const step of steps) {
    if (step.kind === 'Complex') name += `/${step.property.name}`
    else name = (step.kind === 'Navigation' ? step.navigation.targetType : step.type).qualifiedName
  }
  return name
}

/**
 * Reads one property of a row. Values that are not of the type are an error of the provider.
 *
 * @param owner name of the entity set or type with the property, for messages
 * @param compute returns the value of a computed property
 */
export function propertyReader(
  name: string,
  type: PrimitiveTypeName,
  owner: string,
  compute?: (row: Row) => unknown,
): ReadOperand {
  const { toOperand } = primitiveTypes[type]
  const convert = (value: unknown): Operand => {
    const operand = toOperand(value)
    if (operand === undefined)
      throw new TypeError(`'${name}' of ${owner} holds ${typeof value} '${String(value)}', not ${type}.`)
    return operand
  }
  // A function call to read the member would make reading slower for all names.
  if (compute !== undefined || name in Object.prototype) {
    const read = compute ?? memberReader(name)
    return (row) => {
      const value = read(row)
      return value === null || value === undefined ? null : convert(value)
    }
  }
  switch (type) {
    // If the value already is the operand, no function is called.
    case 'Edm.String':
      return (row) => {
        const value = row[name]
        if (typeof value === 'string') return value
        return value === null || value === undefined ? null : convert(value)
      }
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
    case 'Edm.Double':
      return (row) => {
        const value = row[name]
        if (typeof value === 'number') return value
        return value === null || value === undefined ? null : convert(value)
      }
    default:
      return (row) => {
        const value = row[name]
        return value === null || value === undefined ? null : convert(value)
      }
  }
}
