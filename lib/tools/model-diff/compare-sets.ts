import type { EdmModel, EntitySet } from '../../edm/edm-model.js'
import type { SetRestrictions } from '../../edm/sap-annotations.js'
import { compareAbility, comparePath } from './compare-facets.js'
import { compareTargets } from './compare-navigation.js'
import type { ComparedModels } from './compared-models.js'
import type { ChangeLog, ElementLog } from './model-change.js'

/** Notes how the entity sets of two models differ. */
export function compareSets(models: ComparedModels, log: ChangeLog): void {
  const [before, after] = [setsOf(models.before), setsOf(models.after)]
  for (const [path, set] of before) {
    const element = log.of('EntitySet', path)
    const same = after.get(path)
    if (same === undefined) {
      element.isRemoved('Requests of it are answered with 404.')
      continue
    }
    if (!models.isSameType(set.entityType, same.entityType)) {
      const message = `holds ${same.entityType.qualifiedName} instead of ${set.entityType.qualifiedName}`
      element.breaks(message, 'Clients are given entities of another type.')
    }
    compareRestrictions(
      models.restrictionsBefore?.sets.get(set),
      models.restrictionsAfter?.sets.get(same),
      element,
    )
    compareTargets(set, same, log)
  }
  for (const path of after.keys()) {
    if (!before.has(path))
      log.of('EntitySet', path).isAdded(false, 'Clients do not ask for what they do not know.')
  }
}

function setsOf({ entityContainers }: EdmModel): ReadonlyMap<string, EntitySet> {
  return new Map(
    entityContainers.flatMap(({ entitySets }) => entitySets.map((set) => [set.path, set] as const)),
  )
}

const restrictions = [
  ['notAddressable', 'be read directly', 'sap:addressable'],
  ['notCreatable', 'be added to', 'sap:creatable'],
  ['notUpdatable', 'be changed', 'sap:updatable'],
  ['notDeletable', 'be deleted from', 'sap:deletable'],
  ['notPageable', 'be paged', 'sap:pageable'],
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
  for (const [name, what, annotation] of restrictions) {
    compareAbility(what, annotation, [before?.[name], after?.[name]], log)
  }
  comparePath('be changed', 'sap:updatable-path', [before?.updatablePath, after?.updatablePath], log)
  comparePath('be deleted', 'sap:deletable-path', [before?.deletablePath, after?.deletablePath], log)
  const required =
    after?.requiredInFilter.filter((path) => before?.requiredInFilter.includes(path) !== true) ?? []
  for (const path of required) {
    log.breaks(
      `needs ${path} in $filter (sap:required-in-filter)`,
      'Requests that do not filter by it are refused.',
    )
  }
}
