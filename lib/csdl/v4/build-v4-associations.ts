import type {
  AssociationDefinition,
  AssociationSetDefinition,
  NavigationPropertyDefinition,
} from '../../edm/model-definition.js'
import type { Multiplicity } from '../../edm/edm-model.js'
import { getOrCreate } from '../../util/get-or-create.js'
import { defined } from '../csdl-reader.js'
import type { SetDraft } from './build-v4-sets.js'
import { navigationsFrom, targetSetOf } from './build-v4-sets.js'
import type { TypeDraft } from './build-v4-types.js'
import { v2NameOf, v2TypeName } from './build-v4-types.js'
import type { V4Context } from './v4-context.js'
import type { V4NavigationProperty } from './v4-document.js'
import { V4Names } from './v4-names.js'
import type { NamedType } from './v4-types.js'

/** The definitions of associations by namespace and name, and of association sets by name. */
interface V4Relations {
  readonly associations: ReadonlyMap<string, Readonly<Record<string, AssociationDefinition>>>
  readonly associationSets: Readonly<Record<string, AssociationSetDefinition>>
}

/** A navigation property, and the one of the target type that leads back. */
interface NavigationDraft {
  readonly owner: TypeDraft
  readonly target: TypeDraft
  readonly member: V4NavigationProperty
  partner: NavigationDraft | undefined
  association: string
  fromRole: string
  toRole: string
}

/** Builds navigation properties, their associations, and the association sets of all entity sets. */
export function buildV4Relations(
  context: V4Context,
  drafts: ReadonlyMap<string, TypeDraft>,
  sets: readonly SetDraft[],
): V4Relations {
  const navigations = navigationDrafts(context, drafts)
  const ofMember = new Map<string, NavigationDraft>()
  for (const one of navigations) ofMember.set(memberKey(one.owner.type, one.member.name), one)
  pair(navigations, ofMember)
  separate(navigations, ofMember, context, sets)
  const associations = new Map<string, Record<string, AssociationDefinition>>()
  const names = new Map<string, V4Names>()
  for (const one of navigations) {
    if (one.association !== '') continue
    const { namespace, name } = one.owner.type
    const scope = getOrCreate(names, namespace, () => namesOfTypes(namespace, context))
    const association = scope.unique(`${name}_${one.member.name}`, true)
    assign(one, namespace, association, false)
    if (one.partner !== undefined) assign(one.partner, namespace, association, true)
    getOrCreate(associations, namespace, (): Record<string, AssociationDefinition> => ({}))[association] =
      associationOf(one)
  }
  for (const one of navigations) addNavigation(one, context)
  return { associations, associationSets: associationSetsOf(context, sets, ofMember) }
}

function navigationDrafts(context: V4Context, drafts: ReadonlyMap<string, TypeDraft>): NavigationDraft[] {
  const navigations: NavigationDraft[] = []
  for (const draft of drafts.values()) {
    for (const { member } of context.types.ownMembers(draft.type).navigationProperties) {
      const target = drafts.get(member.type)
      if (target?.type.kind === 'EntityType' && draft.type.kind === 'EntityType')
        navigations.push({
          owner: draft,
          target,
          member,
          partner: undefined,
          association: '',
          fromRole: '',
          toRole: '',
        })
      else if (draft.type.kind === 'ComplexType')
        context.notice(member.place, 'belongs to a complex type, and was skipped')
      else context.notice(member.place, `leads to '${member.type}', which has no key, and was skipped`)
    }
  }
  return navigations
}

function memberKey({ qualifiedName }: NamedType, name: string): string {
  return `${qualifiedName}/${name}`
}

/** Finds the navigation properties that are partners of each other, between exactly the same types. */
function pair(navigations: readonly NavigationDraft[], ofMember: ReadonlyMap<string, NavigationDraft>): void {
  for (const one of navigations) {
    const name = one.member.partner
    const other = name === undefined ? undefined : ofMember.get(memberKey(one.target.type, name))
    if (other === undefined || other === one || other.target !== one.owner) continue
    if (one.partner !== undefined || other.partner !== undefined) continue
    one.partner = other
    other.partner = one
  }
}

/** Separates partners whose bindings do not lead back: an association set has one set at each end. */
function separate(
  navigations: readonly NavigationDraft[],
  ofMember: ReadonlyMap<string, NavigationDraft>,
  context: V4Context,
  sets: readonly SetDraft[],
): void {
  for (const set of sets) {
    // Nothing leads back to a singleton.
    if (set.mapping.kind === 'Singleton') continue
    for (const { owner, member } of navigationsFrom(set.type, context)) {
      const one = ofMember.get(memberKey(owner, member.name))
      const { partner } = one ?? {}
      const target = partner && targetSetOf(set, owner, member, sets)
      if (one === undefined || partner === undefined || target === undefined) continue
      const back = targetSetOf(target, partner.owner.type, partner.member, sets)
      if (back === undefined || back === set) continue
      one.partner = undefined
      partner.partner = undefined
    }
  }
  for (const one of navigations) if (one.partner?.partner !== one) one.partner = undefined
}

function namesOfTypes(namespace: string, { types, document, notices }: V4Context): V4Names {
  const used = [...types.structured.values()].filter((one) => one.namespace === namespace)
  const containers = document.schemas.filter((one) => one.namespace === namespace)
  return new V4Names('association', (notice) => notices.push(notice), [
    ...used.map(({ name }) => name),
    ...containers.flatMap((schema) => schema.containers.map(({ name }) => name)),
  ])
}

function assign(one: NavigationDraft, namespace: string, association: string, isReverse: boolean): void {
  one.association = `${namespace}.${association}`
  one.fromRole = `${isReverse ? 'To' : 'From'}Role_${association}`
  one.toRole = `${isReverse ? 'From' : 'To'}Role_${association}`
}

function associationOf(one: NavigationDraft): AssociationDefinition {
  const { member, partner, owner, target, fromRole, toRole } = one
  return defined({
    ends: {
      [fromRole]: defined({
        type: owner.type.qualifiedName,
        multiplicity: partner === undefined ? sourceMultiplicity(member) : multiplicityOf(partner.member),
        onDelete:
          cascades(member) && partner?.member.isCollection !== true ? ('Cascade' as const) : undefined,
      }),
      [toRole]: defined({
        type: target.type.qualifiedName,
        multiplicity: multiplicityOf(member),
        onDelete:
          partner !== undefined && cascades(partner.member) && !member.isCollection
            ? ('Cascade' as const)
            : undefined,
      }),
    },
    referentialConstraint: constraintOf(one) ?? (partner && constraintOf(partner)),
  })
}

function cascades({ onDelete, containsTarget }: V4NavigationProperty): boolean {
  return onDelete === 'Cascade' || containsTarget
}

function multiplicityOf({ isCollection, nullable }: V4NavigationProperty): Multiplicity {
  if (isCollection) return '*'
  return nullable ? '0..1' : '1'
}

function sourceMultiplicity(member: V4NavigationProperty): Multiplicity {
  if (member.containsTarget) return '1'
  return cascades(member) ? '0..1' : '*'
}

/** Returns the constraint of a navigation property if it covers the key of the target with properties of the same types. */
function constraintOf({
  member,
  owner,
  target,
  fromRole,
  toRole,
}: NavigationDraft): AssociationDefinition['referentialConstraint'] {
  if (member.isCollection) return undefined
  const properties = owner.mapping.properties
  const key = target.key
  const pairs = member.constraints.map(({ property, referencedProperty }) => ({
    dependent: v2NameOf(properties, property),
    principal: v2NameOf(target.mapping.properties, referencedProperty),
  }))
  const isWhole =
    pairs.length === key.length && key.every((name) => pairs.some((one) => one.principal === name))
  const isSame = pairs.every(({ dependent, principal }) => {
    const [own, other] = [properties.get(dependent), target.mapping.properties.get(principal)]
    return own !== undefined && other !== undefined && v2TypeName(own.type) === v2TypeName(other.type)
  })
  if (!isWhole || !isSame) return undefined
  // The properties of the principal are those of the key, in its order.
  const dependents = key.map((name) => pairs.find((one) => one.principal === name)?.dependent ?? '')
  return {
    principal: { role: toRole, properties: key },
    dependent: { role: fromRole, properties: dependents },
  }
}

function addNavigation(one: NavigationDraft, context: V4Context): void {
  const { owner, member, association, fromRole, toRole } = one
  const name = owner.names.unique(member.name)
  owner.mapping.navigations.set(name, member.name)
  const definitions: Record<string, NavigationPropertyDefinition> = {
    ...owner.definition.navigationProperties,
  }
  definitions[name] = { relationship: association, fromRole, toRole }
  Object.assign(owner.definition, { navigationProperties: definitions })
  context.keepAnnotations(`${owner.type.qualifiedName}/${member.name}`, `${owner.type.qualifiedName}/${name}`)
}

function associationSetsOf(
  context: V4Context,
  sets: readonly SetDraft[],
  ofMember: ReadonlyMap<string, NavigationDraft>,
): Record<string, AssociationSetDefinition> {
  const found: Record<string, AssociationSetDefinition> = {}
  const known = new Set<string>()
  const names = new V4Names(
    'association set',
    (notice) => context.notices.push(notice),
    sets.map(({ name }) => name),
  )
  for (const set of sets) {
    for (const { owner, member } of navigationsFrom(set.type, context)) {
      const one = ofMember.get(memberKey(owner, member.name))
      const target = one && targetSetOf(set, owner, member, sets)
      if (one === undefined || target === undefined) continue
      if (member.containsTarget) set.mapping.contained.add(member.name)
      const ends = { [one.fromRole]: set.name, [one.toRole]: target.name }
      const key = `${one.association} ${[`${one.fromRole}=${set.name}`, `${one.toRole}=${target.name}`].sort().join(' ')}`
      if (known.has(key)) continue
      known.add(key)
      found[names.unique(`${set.name}_${member.name}_Set`, true)] = { association: one.association, ends }
    }
  }
  return found
}
