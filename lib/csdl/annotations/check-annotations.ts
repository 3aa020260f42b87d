import type { ComplexType, EdmModel, EntitySet, EntityType } from '../../edm/edm-model.js'
import { entitySetsOf, isPrimitive } from '../../edm/edm-model.js'
import { invalid } from '../../errors/check-option.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements, textOf } from '../../xml/xml-element.js'

type Type = EntityType | ComplexType

/** Expressions that are paths of the annotated type. */
const pathKinds = ['Path', 'PropertyPath', 'NavigationPropertyPath', 'AnnotationPath']

/**
 * Checks that targets and paths of annotations exist in the model.
 *
 * @param annotations `Annotations` elements with full names
 * @throws ConfigurationError with a suggestion for the first unknown name
 */
export function checkAnnotations(annotations: readonly XmlElement[], model: EdmModel): void {
  for (const group of annotations) {
    const target = attributeOf(group, 'Target')
    if (target === undefined) throw invalid('annotations: <Annotations> needs the attribute Target')
    const type = typeOfTarget(target, model)
    for (const annotation of childElements(group)) {
      checkPaths(annotation, type, `annotations: ${target}: ${nameOf(annotation)}`, model)
    }
  }
}

function nameOf(annotation: XmlElement): string {
  return attributeOf(annotation, 'Term') ?? annotation.name
}

/**
 * Returns the type that the paths of a target start at; undefined for containers and functions.
 *
 * @throws ConfigurationError with a suggestion for an unknown target
 */
export function typeOfTarget(target: string, model: EdmModel): Type | undefined {
  const [name = '', ...path] = target.split('/')
  const type = model.entityTypes.get(name) ?? model.complexTypes.get(name)
  if (type !== undefined) {
    if (path.length > 0) checkPath(path, type, `annotations: the target '${target}'`)
    return type
  }
  const container = model.entityContainers.find((one) => one.qualifiedName === name)
  if (container !== undefined) {
    const [member, parameter] = path
    if (member === undefined) return undefined
    const set = container.entitySet(member)
    if (set !== undefined) return set.entityType
    const called = container.functionImport(member)
    const names = [...container.entitySets, ...container.functionImports].map((one) => one.name)
    if (called === undefined) throw unknown(target, `'${name}' has no '${member}'`, member, names)
    const parameters = called.parameters.map((one) => one.name)
    if (parameter !== undefined && !parameters.includes(parameter)) {
      throw unknown(target, `'${member}' has no parameter '${parameter}'`, parameter, parameters)
    }
    return undefined
  }
  const known = [
    ...model.entityTypes.keys(),
    ...model.complexTypes.keys(),
    ...model.entityContainers.map((one) => one.qualifiedName),
  ]
  throw unknown(target, `the model has no '${name}'`, name, known)
}

function unknown(target: string, problem: string, name: string, known: readonly string[]): Error {
  return invalid(`annotations: the target '${target}' is unknown: ${problem}.${didYouMean(name, known)}`)
}

function checkPaths(element: XmlElement, type: Type | undefined, place: string, model: EdmModel): void {
  if (type !== undefined) {
    for (const kind of pathKinds) {
      const path = attributeOf(element, kind) ?? (element.name === kind ? textOf(element).trim() : undefined)
      if (path !== undefined) checkPath(stepsOf(path), type, `${place}: the path '${path}'`)
    }
  }
  const listed = element.name === 'Record' ? listedSet(element, place, model) : undefined
  if (listed !== undefined) checkListedProperties(element, listed, place)
  for (const child of childElements(element)) checkPaths(child, type, place, model)
}

/** Returns the properties of a path, without a term at its end. Paths of variables and of containers have none. */
function stepsOf(path: string): readonly string[] {
  if (path.startsWith('$') || path.startsWith('/')) return []
  const [properties = ''] = path.split('@')
  return properties.split('/').filter((step) => step !== '' && !step.startsWith('$') && !step.includes('.'))
}

function checkPath(steps: readonly string[], start: Type, place: string): void {
  let type: Type | undefined = start
  let owner = start.qualifiedName
  for (const step of steps) {
    const property: Type | 'primitive' | undefined = type && memberType(type, step)
    if (property === undefined) {
      const hint = type === undefined ? '' : didYouMean(step, memberNames(type))
      throw invalid(`${place} is invalid: '${owner}' has no property '${step}'.${hint}`)
    }
    type = property === 'primitive' ? undefined : property
    owner = type?.qualifiedName ?? step
  }
}

function memberType(type: Type, name: string): Type | 'primitive' | undefined {
  const property = type.property(name)
  if (property !== undefined) return isPrimitive(property.type) ? 'primitive' : property.type
  return type.kind === 'EntityType' ? type.navigationProperty(name)?.targetType : undefined
}

function memberNames(type: Type): string[] {
  const navigations = type.kind === 'EntityType' ? type.navigationProperties : []
  return [...type.properties, ...navigations].map((one) => one.name)
}

/** Returns the value of a member of a record; undefined unless it is a constant string. */
function memberOf(record: XmlElement, name: string): string | undefined {
  const member = childElements(record).find((child) => attributeOf(child, 'Property') === name)
  if (member === undefined) return undefined
  const element = childElements(member).find((child) => child.name === 'String')
  return attributeOf(member, 'String') ?? (element === undefined ? undefined : textOf(element))
}

function listedSet(record: XmlElement, place: string, model: EdmModel): EntitySet | undefined {
  const path = memberOf(record, 'CollectionPath')
  // Value helps of another service name its root.
  if (path === undefined || memberOf(record, 'CollectionRoot') !== undefined) return undefined
  const sets = entitySetsOf(model)
  const set = sets.find((one) => one.path === path || one.name === path)
  if (set !== undefined) return set
  const names = sets.map((one) => one.path)
  throw invalid(`${place}: the model has no entity set '${path}'.${didYouMean(path, names)}`)
}

function checkListedProperties(record: XmlElement, { entityType, path }: EntitySet, place: string): void {
  for (const child of childElements(record)) {
    const name = child.name === 'Record' ? memberOf(child, 'ValueListProperty') : undefined
    if (name !== undefined) checkPath(name.split('/'), entityType, `${place}: '${name}' of '${path}'`)
    checkListedProperties(child, { entityType, path } as EntitySet, place)
  }
}
