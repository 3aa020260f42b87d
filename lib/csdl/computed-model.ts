import type { ComputedDefinition, EdmModel, EntitySet, EntityType, Property } from '../edm/edm-model.js'
import { entitySetsByPath, entitySetsOf, isFunction, isPrimitive } from '../edm/edm-model.js'
import { annotationValue, sapNamespace } from '../edm/annotations.js'
import { buildModel } from '../edm/build/build-model.js'
import { ModelErrors } from '../edm/build/model-error.js'
import type { EntityTypeDefinition, ModelDefinition, PropertyDefinition } from '../edm/model-definition.js'
import { checkFunction, checkNames, invalid } from '../errors/check-option.js'
import { bindExpression } from '../query/bind-expression.js'
import { computedExpression, defineComputedExpression } from '../query/computed-expression.js'
import { parseFilter } from '../uri/parse-expression.js'
import { computeOnce } from '../util/get-or-create.js'
import { isRecord } from '../util/is-record.js'
import { definitionOf } from './definition-of-model.js'

type DefinitionByProperty = Map<Property, ComputedDefinition>

const memberNames = ['expression', 'needs', 'value', 'values', 'scan']

/**
 * Adds the computed properties of an option to a model, with annotations of what clients can do with them.
 *
 * @param option the option `computed` of a service
 * @returns a model of its own; the same model without computed properties
 * @throws ConfigurationError for an invalid option, with suggestions for misspelt names
 */
export function computedModel(model: EdmModel, option: unknown): EdmModel {
  const definitions = new Map(declared(model))
  addOption(definitions, option, model)
  if (definitions.size === 0) return model
  for (const type of model.entityTypes.values()) checkStored(type, definitions)
  const computed = buildModel(withComputed(model, definitions), new ModelErrors())
  bindExpressions(computed)
  return computed
}

/** Returns the computed properties that the definition of the model declares. */
const declared = computeOnce((model: EdmModel): ReadonlyMap<Property, ComputedDefinition> => {
  const definitions: DefinitionByProperty = new Map()
  for (const { qualifiedName, declaredProperties } of model.complexTypes.values()) {
    const inside = declaredProperties.find(({ computed }) => computed !== undefined)
    if (inside !== undefined) {
      throw invalid(`'${qualifiedName}/${inside.name}' cannot be computed: only properties of entities can`)
    }
  }
  for (const type of model.entityTypes.values()) {
    for (const property of type.declaredProperties) {
      if (property.computed === undefined) continue
      checkDefinition(property.computed, property, type, `${type.name}.${property.name}`)
      definitions.set(property, property.computed)
    }
  }
  return definitions
})

function addOption(definitions: DefinitionByProperty, option: unknown, model: EdmModel): void {
  if (option === undefined) return
  if (!isRecord(option))
    throw invalid(`computed must be an object such as { Products: { Title: { expression: 'Name' } } }`)
  const sets = entitySetsByPath(model)
  checkNames(option, [...sets.keys()], 'an entity set', 'computed.')
  for (const [path, set] of sets) {
    const ofSet = option[path]
    if (ofSet === undefined) continue
    if (!isRecord(ofSet))
      throw invalid(`computed.${path} must be an object such as { Title: { expression: 'Name' } }`)
    const properties = propertiesOf(set.entityType)
    checkNames(ofSet, [...properties.keys()], 'a property', `computed.${path}.`)
    for (const [name, given] of Object.entries(ofSet)) {
      const property = properties.get(name)
      if (property === undefined || given === undefined) continue
      const place = `computed.${path}.${name}`
      if (!isRecord(given)) throw invalid(`${place} must be an object such as { expression: 'Name' }`)
      checkDefinition(given, property, set.entityType, place)
      const other = definitions.get(property)
      if (other !== undefined && other !== given) {
        throw invalid(
          `${place}: '${name}' is declared twice; entity sets of one type share its computed properties`,
        )
      }
      definitions.set(property, given)
    }
  }
}

function checkDefinition(
  given: ComputedDefinition,
  property: Property,
  type: EntityType,
  place: string,
): void {
  checkNames(given, memberNames, 'a member of a computed property', `${place}.`)
  checkFunction(`${place}.value`, given.value)
  checkFunction(`${place}.values`, given.values)
  const { expression, needs, scan, value, values } = given
  const sources = [expression, value, values].filter((one) => one !== undefined)
  if (sources.length > 1) throw invalid(`${place} must have one of expression, value and values`)
  if (expression !== undefined && typeof expression !== 'string')
    throw invalid(`${place}.expression must be a string`)
  if (expression !== undefined && !isPrimitive(property.type)) {
    throw invalid(`${place}: an expression has a simple value, but '${property.name}' is complex`)
  }
  if (sources.length === 0 && !property.nullable) {
    throw invalid(`${place}: '${property.name}' must be nullable, because nothing computes it`)
  }
  if (scan === true && (value === undefined || !isPrimitive(property.type))) {
    throw invalid(`${place}.scan requires 'value' and a simple property`)
  }
  checkNeeds(needs, isFunction(given), type, place)
}

function checkNeeds(needs: unknown, isRequired: boolean, type: EntityType, place: string): void {
  if (needs === undefined && !isRequired) return
  if (!Array.isArray(needs)) throw invalid(`${place}.needs must be an array of property names`)
  if (!isRequired) throw invalid(`${place}.needs requires 'value' or 'values'`)
  const names = Object.fromEntries(needs.map((name) => [String(name), true]))
  checkNames(names, [...propertiesOf(type).keys()], 'a property', `${place}.needs: `)
}

/** @throws ConfigurationError for a computed property that identifies entities, or that needs another function */
function checkStored(type: EntityType, definitions: DefinitionByProperty): void {
  const keys = new Map<Property, string>()
  for (const property of type.key) keys.set(property, 'part of the key')
  for (const property of type.concurrencyTokens) keys.set(property, 'part of the ETag')
  for (const { association } of type.navigationProperties) {
    const { dependentProperties = [], principalProperties = [] } = association.referentialConstraint ?? {}
    for (const one of [...dependentProperties, ...principalProperties])
      keys.set(one, 'the key of an association')
  }
  const properties = propertiesOf(type)
  for (const property of properties.values()) {
    const definition = definitions.get(property)
    if (definition === undefined) continue
    const place = `'${property.name}' of '${type.name}'`
    const reason = keys.get(property)
    if (reason !== undefined) throw invalid(`${place} cannot be computed: it is ${reason}`)
    for (const name of definition.needs ?? []) {
      const needed = properties.get(name)
      const inner = needed && definitions.get(needed)
      if (inner === undefined || (inner.expression !== undefined && definition.scan !== true)) continue
      throw invalid(`${place} cannot need '${name}', which is computed itself`)
    }
  }
}

/** Returns the properties of a type and of derived types by name. */
function propertiesOf(type: EntityType): ReadonlyMap<string, Property> {
  const all = [...type.properties, ...type.derivedTypes.flatMap((one) => one.declaredProperties)]
  return new Map(all.map((property) => [property.name, property]))
}

function withComputed(model: EdmModel, definitions: DefinitionByProperty): ModelDefinition {
  const definition = definitionOf(model)
  const { schemas, entityTypes, namespace } = definition
  const typesOf = (types: typeof entityTypes, schema: string): typeof entityTypes =>
    types &&
    mapValues(types, (one, name) => typeWith(one, model.entityTypes.get(`${schema}.${name}`), definitions))
  return {
    ...definition,
    ...(schemas && {
      schemas: schemas.map((one) => ({ ...one, entityTypes: typesOf(one.entityTypes, one.namespace) })),
    }),
    ...(namespace === undefined ? {} : { entityTypes: typesOf(entityTypes, namespace) }),
  } as ModelDefinition
}

function typeWith(
  definition: EntityTypeDefinition,
  type: EntityType | undefined,
  definitions: DefinitionByProperty,
): EntityTypeDefinition {
  const { properties = {} } = definition
  return {
    ...definition,
    properties: mapValues(properties, (one, name) => {
      const property = type?.property(name)
      const computed = property && definitions.get(property)
      return computed === undefined ? one : propertyWith(one, property, computed)
    }),
  }
}

function propertyWith(
  definition: PropertyDefinition,
  property: Property | undefined,
  computed: ComputedDefinition,
): PropertyDefinition {
  const isComputed = computed.expression !== undefined || isFunction(computed)
  const canQuery = computed.expression !== undefined || computed.scan === true
  const names = [
    ...(isComputed ? ['creatable', 'updatable'] : []),
    ...(canQuery ? [] : ['filterable', 'sortable']),
  ]
  const { attributes = [], ...annotations } = definition.annotations ?? {}
  const prefix = attributes.find(({ namespace }) => namespace === sapNamespace)?.prefix ?? 'sap'
  const added = names
    .filter((name) => property !== undefined && annotationValue(property, sapNamespace, name) === undefined)
    .map((name) => ({ namespace: sapNamespace, prefix, name, value: 'false' }))
  return {
    ...definition,
    computed,
    ...(isComputed ? { storeGeneratedPattern: 'Computed' } : {}),
    annotations: { ...annotations, attributes: [...attributes, ...added] },
  }
}

function mapValues<T>(
  record: Readonly<Record<string, T>>,
  map: (value: T, name: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))
}

/**
 * Binds all expressions. An expression may name other computed properties: those that are not bound yet are errors,
 * which the next pass may not have.
 */
function bindExpressions(model: EdmModel): void {
  let pending = entitySetsOf(model).flatMap((set) =>
    set.entityType.computedProperties
      .filter(({ computed }) => computed?.expression !== undefined)
      .map((property) => ({ set, property })),
  )
  while (pending.length > 0) {
    const failures: { readonly message: string }[] = []
    const rest = pending.filter(({ set, property }) => {
      try {
        bindComputed(set, property, model)
      } catch (error) {
        failures.push(error as Error)
      }
      return computedExpression(set, property) === undefined
    })
    if (rest.length === pending.length) throw invalid(failures.map(({ message }) => message).join('\n'))
    pending = rest
  }
}

function bindComputed(set: EntitySet, property: Property, model: EdmModel): void {
  const { name, type, computed: { expression: source = '' } = {} } = property
  const label = `computed.${set.path}.${name}.expression`
  const types = [set.entityType, ...set.entityType.derivedTypes]
  const entityType = types.find((one) => one.property(name) === property) ?? set.entityType
  const scope = { model, entitySet: set, entityType }
  const wanted = isPrimitive(type) ? type : 'Edm.String'
  defineComputedExpression(
    set,
    property,
    bindExpression(parseFilter(source, { label }), scope, wanted, { source, label }),
  )
}
