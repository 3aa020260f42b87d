import { isRecord } from '../../../util/is-record.js'

/** The change of a part of a definition. */
export type Change =
  /** The part gets a value; undefined removes it. */
  | { readonly kind: 'set'; readonly value: unknown }
  /** Members change; `order` has the names of all members of the imported part. */
  | {
      readonly kind: 'members'
      readonly members: ReadonlyMap<string, Change>
      readonly order: readonly string[]
    }

/** A part of a definition that was edited, and that is different in the document. */
export interface Conflict {
  readonly path: readonly string[]
  readonly base: unknown
  readonly mine: unknown
  readonly next: unknown
}

/** Three versions of a part of a definition: as last imported, as edited, and as imported now. */
interface Versions {
  readonly base: unknown
  readonly mine: unknown
  readonly next: unknown
}

/**
 * Merges an edited definition with a newly imported one.
 *
 * @param versions definitions as `definitionOf` returns them. The order of members is ignored
 * @returns the change of the edited definition that makes it equal to the imported one with all edits
 */
export function mergeDefinitions(versions: Versions): {
  readonly change: Change | undefined
  readonly conflicts: readonly Conflict[]
} {
  const conflicts: Conflict[] = []
  return { change: changeOf(versions, [], conflicts), conflicts }
}

function changeOf(versions: Versions, path: readonly string[], conflicts: Conflict[]): Change | undefined {
  const { base, mine, next } = versions
  if (isEqual(base, next) || isEqual(mine, next)) return undefined
  const parts = membersOf(versions, path)
  if (parts === undefined) {
    if (isEqual(base, mine)) return { kind: 'set', value: next }
    conflicts.push({ path, ...versions })
    return undefined
  }
  const members = new Map<string, Change>()
  for (const name of new Set([...Object.keys(parts.base), ...Object.keys(parts.next)])) {
    const member = { base: own(parts.base, name), mine: own(parts.mine, name), next: own(parts.next, name) }
    const change = changeOf(member, [...path, name], conflicts)
    if (change !== undefined) members.set(name, change)
  }
  return members.size === 0 ? undefined : { kind: 'members', members, order: Object.keys(parts.next) }
}

type Members = Readonly<Record<string, unknown>>

/** Returns the members if they can be merged one by one: those of objects, and schemas if there are the same ones. */
function membersOf(
  { base, mine, next }: Versions,
  path: readonly string[],
): { readonly base: Members; readonly mine: Members; readonly next: Members } | undefined {
  if (isRecord(mine) && isRecord(next) && (isRecord(base) || base === undefined))
    return { base: base ?? {}, mine, next }
  if (path.length !== 1 || path[0] !== 'schemas') return undefined
  const namespaces = [base, mine, next].map((schemas) =>
    Array.isArray(schemas) ? schemas.map((schema) => (schema as Members).namespace) : undefined,
  )
  if (namespaces[0] === undefined || !namespaces.every((one) => isEqual(one, namespaces[0]))) return undefined
  return { base: base as Members, mine: mine as Members, next: next as Members }
}

function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

/** Returns a part of a definition with a change. */
export function withChange(part: unknown, change: Change): unknown {
  if (change.kind === 'set') return change.value
  const members = new Map<string, unknown>(Object.entries((part ?? {}) as Members))
  for (const [name, one] of change.members) members.set(name, withChange(members.get(name), one))
  if (Array.isArray(part)) return [...members.values()]
  return Object.fromEntries([...members].filter(([, value]) => value !== undefined))
}

/** Compares parts of definitions without regard to the order of members; functions by their source. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one === 'function' && typeof other === 'function') return String(one) === String(other)
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other)
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isEqual(own(one as Members, name), own(other as Members, name)))
}
