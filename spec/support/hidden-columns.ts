import { definitionOf } from '../../lib/csdl/definition-of-model.js'
import { defineModel } from '../../lib/edm/define-model.js'
import type { EdmModel, EntityType } from '../../lib/edm/edm-model.js'
import type { Authorize } from '../../lib/provider/authorize.js'
import { contractModel } from '../contracts/contract-model.js'
import { functionRequest, requestOn } from '../contracts/random-requests.js'
import { vocabularies } from '../contracts/contract-vocabulary.js'
import { fc } from './random.js'

/** The hidden columns of the contract's model, by entity set. */
export type HiddenColumns = Readonly<Record<string, readonly string[]>>

/** Columns that a model can lack: neither keys nor foreign keys. */
function optionalColumns(model: EdmModel): readonly (readonly [set: string, column: string])[] {
  const foreignKeys = new Set(
    [...model.associations.values()].flatMap(
      ({ referentialConstraint: one }) =>
        one?.dependentProperties.map(({ name }) => `${one.dependent.type.name}/${name}`) ?? [],
    ),
  )
  return model.defaultContainer.entitySets.flatMap((set) => {
    const types = [set.entityType, ...set.entityType.derivedTypes]
    return types.flatMap((type) => columnsOf(type, foreignKeys).map((column) => [set.name, column] as const))
  })
}

function columnsOf(type: EntityType, foreignKeys: ReadonlySet<string>): readonly string[] {
  const properties = type.declaredProperties.filter(
    ({ isKey, name }) => !isKey && !foreignKeys.has(`${type.name}/${name}`),
  )
  const members = properties.flatMap(({ name, type: kind }) =>
    typeof kind === 'string' ? [] : [`${name}/${kind.properties[0]?.name ?? ''}`],
  )
  const names = [...properties, ...type.declaredNavigationProperties].map(({ name }) => name)
  return [...names, ...members]
}

const columns = optionalColumns(contractModel())

/** Some of the columns of the contract's model. */
export const hiddenColumns: fc.Arbitrary<HiddenColumns> = fc
  .subarray([...columns], { minLength: 1, maxLength: 10 })
  .map((chosen) => {
    const hidden: Record<string, string[]> = {}
    for (const [set, column] of chosen) (hidden[set] ??= []).push(column)
    return hidden
  })

/** Hides columns from every caller. */
export function authorizeHiding(hidden: HiddenColumns): Authorize {
  return ({ entitySet }) => {
    const names = entitySet === undefined ? undefined : hidden[entitySet]
    return names && { hidden: names }
  }
}

interface Columns {
  properties?: Record<string, unknown>
  navigationProperties?: Record<string, unknown>
}

/** The contract's model without columns. */
export function modelWithout(hidden: HiddenColumns): EdmModel {
  const model = contractModel()
  const definition = structuredClone(definitionOf(model)) as unknown as {
    readonly entityTypes: Record<string, Columns>
    readonly complexTypes: Record<string, Columns>
  }
  for (const [set, names] of Object.entries(hidden)) {
    const entityType = model.defaultContainer.entitySet(set)?.entityType
    for (const type of entityType === undefined ? [] : [entityType, ...entityType.derivedTypes]) {
      for (const name of names) removeColumn(definition, type, name)
    }
  }
  return defineModel(definition as unknown as Parameters<typeof defineModel>[0])
}

function removeColumn(
  definition: {
    readonly entityTypes: Record<string, Columns>
    readonly complexTypes: Record<string, Columns>
  },
  type: EntityType,
  path: string,
): void {
  const [name = '', member] = path.split('/')
  if (member !== undefined) {
    // The contract uses each complex type once.
    const complex = type.property(name)?.type
    const properties =
      typeof complex === 'object' ? definition.complexTypes[complex.name]?.properties : undefined
    if (properties !== undefined) Reflect.deleteProperty(properties, member)
    return
  }
  const declared = definition.entityTypes[type.name]
  Reflect.deleteProperty(declared?.properties ?? {}, name)
  Reflect.deleteProperty(declared?.navigationProperties ?? {}, name)
}

const sets = Object.keys(vocabularies)

/** A request that may name columns, sometimes in a wrong spelling, so that messages suggest other names. */
const namingRequest: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...columns),
    fc.constantFrom('', 'x', '/x'),
    fc.constantFrom('$select', '$expand', '$orderby', '$filter', 'path', 'value', 'links'),
  )
  .map(([[set, column], suffix, place]) => {
    const name = column + suffix
    const key = vocabularies[set]?.keys[0] ?? '1'
    if (place === 'path') return `/${set}(${key})/${name}`
    if (place === 'value') return `/${set}(${key})/${name}/$value`
    if (place === 'links') return `/${set}(${key})/$links/${name}`
    return `/${set}?${place}=${encodeURIComponent(place === '$filter' ? `${name} eq null` : name)}`
  })

/** Requests for data and for columns of the contract's model. */
export const columnRequests = fc.array(
  fc.oneof({ weight: 4, arbitrary: requestOn(sets) }, functionRequest, {
    weight: 3,
    arbitrary: namingRequest,
  }),
  { minLength: 1, maxLength: 6 },
)
