import { didYouMean } from '../../errors/suggestions.js'
import type { Association, AssociationEnd, EntityType, NavigationProperty } from '../edm-model.js'
import type { NavigationPropertyDefinition } from '../model-definition.js'
import type { Draft } from './annotated.js'
import { annotated } from './annotated.js'
import type { EntityTypeDraft } from './build-entity-types.js'
import { finishEntityType } from './build-entity-types.js'
import type { ModelFaults } from './model-faults.js'
import { checkPropertyName, NameScope } from './name-scope.js'

/** Adds the navigation properties to all entity types and finishes them. @spec MC-CSDL 2.1.4 */
export function buildNavigationProperties(
  drafts: ReadonlyMap<string, EntityTypeDraft>,
  associations: ReadonlyMap<string, Association>,
  faults: ModelFaults,
): void {
  const built: Draft<NavigationProperty>[] = []
  const finished = new Set<EntityType>()
  const finish = (draft: EntityTypeDraft): void => {
    if (finished.has(draft.type)) return
    finished.add(draft.type)
    const base = draft.type.baseType && drafts.get(draft.type.baseType.qualifiedName)
    if (base !== undefined) finish(base)
    const own = navigationPropertiesOf(draft, associations, faults)
    built.push(...own)
    finishEntityType(draft.type, own)
  }
  for (const draft of drafts.values()) finish(draft)
  findPartners(built)
}

/** Lets the properties that lead to and fro over an association know each other, and freezes them. */
function findPartners(navigations: readonly Draft<NavigationProperty>[]): void {
  const firstFrom = new Map<AssociationEnd, NavigationProperty>()
  for (const navigation of navigations) {
    const { fromEnd, toEnd } = navigation
    if (fromEnd !== toEnd && !firstFrom.has(fromEnd)) firstFrom.set(fromEnd, navigation)
  }
  for (const navigation of navigations) {
    navigation.partner = firstFrom.get(navigation.toEnd)
    Object.freeze(navigation)
  }
}

function navigationPropertiesOf(
  { type, definition, schema }: EntityTypeDraft,
  associations: ReadonlyMap<string, Association>,
  faults: ModelFaults,
): Draft<NavigationProperty>[] {
  const scope = new NameScope(schema, associations)
  const built: Draft<NavigationProperty>[] = []
  for (const { name } of type.declaredProperties) {
    if (type.baseType?.navigationProperty(name) === undefined) continue
    faults.add(
      `${type.qualifiedName}.${name}`,
      'the base type has a navigation property of this name already.',
    )
  }
  for (const [name, one] of Object.entries(definition.navigationProperties ?? {})) {
    const place = `${type.qualifiedName}.${name}`
    checkPropertyName(name, place, faults)
    if (type.property(name) !== undefined || type.baseType?.navigationProperty(name) !== undefined) {
      faults.add(place, 'the type has another property of this name.')
    }
    const navigation = buildNavigationProperty(name, one, { type, scope, place, faults })
    if (navigation !== undefined) built.push(navigation)
  }
  return built
}

interface NavigationContext {
  readonly type: EntityType
  readonly scope: NameScope<Association>
  readonly place: string
  readonly faults: ModelFaults
}

function buildNavigationProperty(
  name: string,
  definition: NavigationPropertyDefinition,
  { type, scope, place, faults }: NavigationContext,
): Draft<NavigationProperty> | undefined {
  const association = scope.find(definition.relationship)
  if (association === undefined) {
    const hint = scope.suggest(definition.relationship)
    faults.add(place, `there is no association '${definition.relationship}'.${hint}`)
    return undefined
  }
  const fromEnd = endWithRole(association, definition.fromRole, place, faults)
  const toEnd = endWithRole(association, definition.toRole, place, faults)
  if (fromEnd === undefined || toEnd === undefined) return undefined
  if (fromEnd === toEnd) faults.add(place, 'FromRole and ToRole must be different roles.')
  if (!type.isOrInherits(fromEnd.type)) {
    faults.add(place, `the role '${fromEnd.role}' belongs to '${fromEnd.type.name}', not to '${type.name}'.`)
  }
  return {
    kind: 'NavigationProperty',
    name,
    ...annotated(definition),
    association,
    fromEnd,
    toEnd,
    targetType: toEnd.type,
    isCollection: toEnd.multiplicity === '*',
    partner: undefined,
  }
}

function endWithRole(
  association: Association,
  role: string,
  place: string,
  faults: ModelFaults,
): AssociationEnd | undefined {
  const end = association.ends.find((one) => one.role === role)
  if (end === undefined) {
    const roles = association.ends.map((one) => one.role)
    faults.add(
      place,
      `the association '${association.name}' has no role '${role}'.${didYouMean(role, roles)}`,
    )
  }
  return end
}
