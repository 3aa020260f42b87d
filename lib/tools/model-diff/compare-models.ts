import type { EdmModel, EntitySet, FunctionImport, FunctionParameter } from '../../edm/edm-model.js'
import { compareTypes } from './compare-types.js'
import type { ElementLog, ModelChange } from './comparison.js'
import { compareByName, Comparison } from './comparison.js'
import type { SetRestrictions } from '../../edm/sap-annotations.js'
import { entitySetsOf, functionImportsOf, nameOfType } from '../../edm/edm-model.js'

/**
 * Compares two models from the point of view of clients: entity sets, types, properties, navigation properties,
 * functions, and restrictions of SAP's annotations. Labels, documentation and other annotations are not compared.
 *
 * A change is breaking if requests that were accepted can be rejected, or if responses can contain values that were
 * impossible before. Additions are compatible: clients must ignore what they do not know.
 *
 * @param before the model that clients were developed for
 * @param after the new model
 * @returns the changes in the order of the models: of the model, of types, of entity sets, of functions
 * @example
 * const changes = compareModels(readEdmx(released), model)
 * expect(changes.filter(({ breaking }) => breaking)).toEqual([])
 * @spec MC-CSDL 2.1
 */
export function compareModels(before: EdmModel, after: EdmModel): readonly ModelChange[] {
  const comparison = new Comparison(before, after)
  compareModel(comparison)
  compareTypes(comparison)
  compareSets(comparison)
  compareFunctions(comparison)
  return comparison.changes
}

function compareModel(comparison: Comparison): void {
  const { before, after, renamed } = comparison
  if (renamed !== undefined) {
    const message = `namespace ${renamed.before} became ${renamed.after}`
    comparison
      .of('Model', renamed.after)
      .breaking(message, 'Types have other names in entities and in $metadata.')
  }
  const [from, to] = [before.dataServiceVersion, after.dataServiceVersion]
  if (from === to) return
  const element = comparison.of('Model', 'DataServiceVersion')
  if (to === '3.0')
    element.breaking(`version ${from} became ${to}`, 'Clients of version 2 reject the document.')
  else element.compatible(`version ${from} became ${to}`, 'Clients of version 2 read both.')
}

function byPath<Element extends { readonly path: string }>(
  elements: readonly Element[],
): ReadonlyMap<string, Element> {
  return new Map(elements.map((one) => [one.path, one]))
}

function compareSets(comparison: Comparison): void {
  const { before, after } = comparison
  compareByName(byPath(entitySetsOf(before)), byPath(entitySetsOf(after)), {
    removed: ({ path }) => comparison.of('EntitySet', path).removed('Requests to it get 404.'),
    both: (set, same) => compareSet(set, same, comparison),
    added: ({ path }) => comparison.of('EntitySet', path).added(),
  })
}

function compareSet(set: EntitySet, same: EntitySet, comparison: Comparison): void {
  const { restrictionsBefore, restrictionsAfter } = comparison
  const element = comparison.of('EntitySet', set.path)
  if (!comparison.isSameType(set.entityType, same.entityType)) {
    const message = `contains ${same.entityType.qualifiedName} instead of ${set.entityType.qualifiedName}`
    element.breaking(message, 'Clients receive entities of another type.')
  }
  compareRestrictions(restrictionsBefore?.sets.get(set), restrictionsAfter?.sets.get(same), element)
  compareTargets(set, same, comparison)
}

const restrictions = [
  ['notAddressable', 'be read directly', 'sap:addressable'],
  ['notCreatable', 'be added to', 'sap:creatable'],
  ['notUpdatable', 'be changed', 'sap:updatable'],
  ['notDeletable', 'be deleted from', 'sap:deletable'],
  ['notTopable', 'be read with $top', 'sap:topable'],
  ['notCountable', 'be counted', 'sap:countable'],
  ['notSearchable', 'be searched', 'sap:searchable'],
  ['requiresFilter', 'be read without $filter', 'sap:requires-filter'],
] as const

function compareRestrictions(
  before: SetRestrictions | undefined,
  after: SetRestrictions | undefined,
  log: ElementLog,
): void {
  for (const [name, operation, annotation] of restrictions) {
    log.ability(operation, annotation, [before?.[name], after?.[name]])
  }
  log.abilityPath('be changed', 'sap:updatable-path', [before?.updatablePath, after?.updatablePath])
  log.abilityPath('be deleted', 'sap:deletable-path', [before?.deletablePath, after?.deletablePath])
  const required =
    after?.requiredInFilter.filter((path) => before?.requiredInFilter.includes(path) !== true) ?? []
  for (const path of required) {
    log.breaking(
      `needs ${path} in $filter (sap:required-in-filter)`,
      'Requests that do not filter by it are rejected.',
    )
  }
}

/** Compares the entity sets that navigation properties lead to. */
function compareTargets(before: EntitySet, after: EntitySet, comparison: Comparison): void {
  for (const navigation of before.entityType.navigationProperties) {
    const same = after.entityType.navigationProperty(navigation.name)
    const [from, to] = [before.targetOf(navigation)?.path, same && after.targetOf(same)?.path]
    if (same === undefined || from === to) continue
    const element = comparison.of('NavigationProperty', `${after.path}/${navigation.name}`)
    if (from === undefined)
      element.compatible(`leads to ${to ?? ''}`, 'Clients that do not follow it see no difference.')
    else if (to === undefined)
      element.breaking(`no longer leads to ${from}`, 'Requests that follow it are rejected.')
    else
      element.breaking(
        `leads to ${to} instead of ${from}`,
        'Clients that know the URL of an entity get another one.',
      )
  }
}

function compareFunctions(comparison: Comparison): void {
  const { before, after } = comparison
  compareByName(byPath(functionImportsOf(before)), byPath(functionImportsOf(after)), {
    removed: ({ path }) => comparison.of('FunctionImport', path).removed('Calls get 404.'),
    both: (one, same) => compareFunction(one, same, comparison),
    added: ({ path }) => comparison.of('FunctionImport', path).added(),
  })
}

function compareFunction(before: FunctionImport, after: FunctionImport, comparison: Comparison): void {
  const element = comparison.of('FunctionImport', after.path)
  const [from, to] = [before.httpMethod, after.httpMethod]
  if (from !== to) {
    const message = `is called by ${to ?? 'GET and POST'} instead of ${from ?? 'GET and POST'}`
    if (to === undefined) element.compatible(message, 'Accepted calls remain valid.')
    else element.breaking(message, 'Calls with another method get 405.')
  }
  compareResult(before, after, comparison, element)
  const logOf = ({ name }: FunctionParameter): ElementLog =>
    comparison.of('Parameter', `${after.path}/${name}`)
  const byName = ({ parameters }: FunctionImport): Map<string, FunctionParameter> =>
    new Map(parameters.map((one) => [one.name, one]))
  compareByName(byName(before), byName(after), {
    removed: (one) => logOf(one).removed('The service ignores its value.'),
    both: (one, same) => compareParameter(one, same, logOf(one)),
    added: (one) => {
      const reason = 'Calls without it are rejected: it is not nullable.'
      logOf(one).added(one.nullable ? 'It can be omitted.' : reason, !one.nullable)
    },
  })
}

function compareResult(
  { returnType: from, entitySet: setBefore }: FunctionImport,
  { returnType: to, entitySet: setAfter }: FunctionImport,
  comparison: Comparison,
  log: ElementLog,
): void {
  if (from === undefined && to === undefined) return
  const isSame =
    from !== undefined &&
    to !== undefined &&
    from.isCollection === to.isCollection &&
    comparison.isSameType(from.type, to.type)
  if (!isSame) {
    log.breaking(
      `returns ${nameOfResult(to)} instead of ${nameOfResult(from)}`,
      'Clients receive another type.',
    )
  } else if (setBefore?.path !== setAfter?.path) {
    const message = `returns entities of ${setAfter?.path ?? 'no set'} instead of ${setBefore?.path ?? 'none'}`
    log.breaking(message, 'The entities have other URLs.')
  }
}

function nameOfResult(type: FunctionImport['returnType']): string {
  if (type === undefined) return 'nothing'
  return type.isCollection ? `Collection(${nameOfType(type.type)})` : nameOfType(type.type)
}

/** Compares a parameter of a function. Clients only send parameters, so that wider types are compatible. */
function compareParameter(before: FunctionParameter, after: FunctionParameter, log: ElementLog): void {
  if (before.type !== after.type) {
    log.breaking(`type ${before.type} became ${after.type}`, 'Values have another representation.')
    return
  }
  if (before.nullable && !after.nullable)
    log.breaking('is no longer nullable', 'Calls without it are rejected.')
  if (!before.nullable && after.nullable) log.compatible('became nullable', 'It can be omitted.')
  log.bounds(before, after)
}
