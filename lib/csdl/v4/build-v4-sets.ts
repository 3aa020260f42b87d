import type { TypeDraft } from './build-v4-types.js'
import { annotationOf } from './v4-annotations.js'
import type { V4Context } from './v4-context.js'
import type { V4Container, V4SetElement, V4NavigationProperty } from './v4-document.js'
import type { V4SetMapping } from './v4-mapping.js'
import type { V4Names } from './v4-names.js'
import type { NamedType } from './v4-types.js'

/**
 * Chooses entity sets. Names are those of the V4 service.
 *
 * @example const sets: V4SetOptions = { exclude: ['DraftAdministrativeData'], rename: { Books: 'BookSet' } }
 */
export interface V4SetOptions {
  /** The sets to serve. Default: all. */
  readonly include?: readonly string[] | undefined
  /** Sets that are not served. Default: none. */
  readonly exclude?: readonly string[] | undefined
  /** Names in the V2 service by those in the V4 service. Default: the same names. */
  readonly rename?: Readonly<Record<string, string>> | undefined
}

/** An entity set of the V2 model under construction. */
export interface SetDraft {
  readonly name: string
  readonly type: NamedType
  readonly mapping: V4SetMapping & { readonly contained: Set<string> }
  /** The set of the container, and the path of navigation properties that leads from it to a contained set. */
  readonly root: V4SetElement
  readonly path: readonly string[]
  /** The target of its annotations. */
  readonly target: string
}

/** Contained sets in contained sets deeper than this are not served. */
const MAX_CONTAINED_DEPTH = 5

/** Builds the entity sets: those of the container, singletons, and the contained sets of their types. */
export function buildV4Sets(
  context: V4Context,
  container: V4Container & { readonly qualifiedName: string },
  drafts: ReadonlyMap<string, TypeDraft>,
  names: V4Names,
  options: V4SetOptions,
): readonly SetDraft[] {
  const sets: SetDraft[] = []
  for (const set of container.sets) {
    if (!isServed(set, options)) continue
    const draft = drafts.get(set.entityType)
    if (draft === undefined || draft.type.kind !== 'EntityType') {
      context.notice(set.place, `has entities of '${set.entityType}', which has no key, and was skipped`)
      continue
    }
    const { rename = {} } = options
    const wanted = Object.hasOwn(rename, set.name) ? (rename[set.name] ?? set.name) : set.name
    const target = `${container.qualifiedName}/${set.name}`
    sets.push({
      name: names.unique(wanted),
      type: draft.type,
      mapping: {
        kind: set.kind,
        name: set.name,
        type: draft.mapping,
        hasEtag: hasEtag(context, target),
        canAggregate: canAggregate(context, target, container.qualifiedName),
        contained: new Set(),
      },
      root: set,
      path: [],
      target,
    })
  }
  for (const set of [...sets]) addContained(set, context, drafts, names, sets)
  return sets
}

/** Adds the sets of contained entities, which are readable through their parents. */
function addContained(
  parent: SetDraft,
  context: V4Context,
  drafts: ReadonlyMap<string, TypeDraft>,
  names: V4Names,
  sets: SetDraft[],
): void {
  for (const { member } of navigationsFrom(parent.type, context)) {
    const draft = drafts.get(member.type)
    if (!member.containsTarget || draft === undefined || draft.type.kind !== 'EntityType') continue
    if (parent.path.length === MAX_CONTAINED_DEPTH) {
      context.notice(member.place, 'is contained too deep, and was skipped')
      continue
    }
    const set: SetDraft = {
      name: names.unique(`${parent.name}_${member.name}`),
      type: draft.type,
      mapping: {
        kind: 'Contained',
        name: member.name,
        type: draft.mapping,
        hasEtag: false,
        canAggregate: false,
        contained: new Set(),
      },
      root: parent.root,
      path: [...parent.path, member.name],
      target: `${parent.target}/${member.name}`,
    }
    sets.push(set)
    addContained(set, context, drafts, names, sets)
  }
}

/** Returns the navigation properties of a type, of its base types and of derived types. */
export function navigationsFrom(
  type: NamedType,
  { types }: V4Context,
): readonly { readonly owner: NamedType; readonly member: V4NavigationProperty }[] {
  const related = [...types.structured.values()].filter(
    (one) => one === type || types.isOrInherits(one, type) || types.isOrInherits(type, one),
  )
  return related.flatMap((owner) => owner.navigationProperties.map((member) => ({ owner, member })))
}

/** Finds the set that the entities of a navigation property of a set belong to. */
export function targetSetOf(
  set: SetDraft,
  owner: NamedType,
  { name, type, containsTarget }: V4NavigationProperty,
  sets: readonly SetDraft[],
): SetDraft | undefined {
  if (containsTarget)
    return sets.find(
      ({ root, path }) =>
        root === set.root && path.length === set.path.length + 1 && isBelow(path, set, name),
    )
  const prefix = [...set.path, ''].join('/')
  const bound =
    set.root.bindings.get(`${prefix}${name}`) ??
    set.root.bindings.get(`${prefix}${owner.qualifiedName}/${name}`)
  if (bound !== undefined) {
    const [first = '', ...path] = bound.split('/').filter((part) => part !== '' && !part.includes('.'))
    return sets.find((one) => one.root.name === first && one.path.join('/') === path.join('/'))
  }
  const candidates = sets.filter((one) => one.type.qualifiedName === type && one.path.length === 0)
  return candidates.length === 1 ? candidates[0] : undefined
}

function isBelow(path: readonly string[], parent: SetDraft, name: string): boolean {
  return path.join('/') === [...parent.path, name].join('/')
}

function isServed({ name }: V4SetElement, { include, exclude = [] }: V4SetOptions): boolean {
  return (include === undefined || include.includes(name)) && !exclude.includes(name)
}

function hasEtag({ annotations }: V4Context, target: string): boolean {
  return annotationOf(annotations, target, 'Org.OData.Core.V1.OptimisticConcurrency') !== undefined
}

/** @spec OData Data Aggregation 4.0, 5.1 (ApplySupported) */
function canAggregate({ annotations }: V4Context, target: string, container: string): boolean {
  const aggregation = 'Org.OData.Aggregation.V1'
  return (
    annotationOf(annotations, target, `${aggregation}.ApplySupported`) !== undefined ||
    annotationOf(annotations, container, `${aggregation}.ApplySupportedDefaults`) !== undefined
  )
}
