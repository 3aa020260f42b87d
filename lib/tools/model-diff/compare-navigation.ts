import type { EntitySet, NavigationProperty } from '../../edm/edm-model.js'
import { comparePath, compareRestriction } from './compare-facets.js'
import type { ComparedModels } from './compared-models.js'
import type { ChangeLog, ElementLog } from './model-change.js'

/** Notes how a navigation property differs. */
export function compareNavigation(
  before: NavigationProperty,
  after: NavigationProperty,
  models: ComparedModels,
  log: ElementLog,
): void {
  if (!models.isSameType(before.targetType, after.targetType)) {
    const message = `leads to ${after.targetType.qualifiedName} instead of ${before.targetType.qualifiedName}`
    log.breaks(message, 'Clients are given entities of another type.')
  }
  const [from, to] = [before.toEnd.multiplicity, after.toEnd.multiplicity]
  if (from !== to) log.breaks(`multiplicity ${from} became ${to}`, reasonOf(from, to))
  if (before.fromEnd.onDelete !== 'Cascade' && after.fromEnd.onDelete === 'Cascade') {
    log.breaks('deletes what it leads to', 'A client that deletes an entity now deletes others with it.')
  } else if (before.fromEnd.onDelete === 'Cascade' && after.fromEnd.onDelete !== 'Cascade') {
    log.breaks('does not delete what it leads to any more', 'A client must delete the others itself.')
  }
  const was = models.restrictionsBefore?.navigations.get(before)
  const is = models.restrictionsAfter?.navigations.get(after)
  compareRestriction(
    {
      before: was?.notCreatable === true,
      after: is?.notCreatable === true,
      on: ['cannot be used to create entities any more (sap:creatable)', 'Requests that do are refused.'],
      off: ['can be used to create entities (sap:creatable)', 'Nothing that was accepted is refused.'],
    },
    log,
  )
  comparePath('create entities', 'sap:creatable-path', [was?.creatablePath, is?.creatablePath], log)
  compareRestriction(
    {
      before: was?.notFilterable === true,
      after: is?.notFilterable === true,
      on: ['cannot be filtered by any more (sap:filterable)', 'Filters that do are refused.'],
      off: ['can be filtered by (sap:filterable)', 'Nothing that was accepted is refused.'],
    },
    log,
  )
}

function reasonOf(from: string, to: string): string {
  if (from === '*') return 'Where there were several entities, there is one.'
  if (to === '*') return 'Where there was one entity, there are several.'
  return to === '1'
    ? 'New entities without a link are refused.'
    : 'Clients that were promised an entity may be given none.'
}

/** Notes navigation properties that lead from a set to another one than before, or nowhere. */
export function compareTargets(before: EntitySet, after: EntitySet, log: ChangeLog): void {
  for (const navigation of before.entityType.navigationProperties) {
    const same = after.entityType.navigationProperty(navigation.name)
    const [from, to] = [before.targetOf(navigation)?.path, same && after.targetOf(same)?.path]
    if (same === undefined || from === to) continue
    const element = log.of('NavigationProperty', `${after.path}/${navigation.name}`)
    if (from === undefined)
      element.allows(`leads to ${to ?? ''}`, 'Clients that do not follow it see no difference.')
    else if (to === undefined)
      element.breaks(`does not lead to ${from} any more`, 'Requests that follow it are refused.')
    else
      element.breaks(
        `leads to ${to} instead of ${from}`,
        'Clients that know the address of an entity find another.',
      )
  }
}
