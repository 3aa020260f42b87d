import type { AssociationEnd, EntityType, NavigationProperty } from '../../edm/edm-model.js'
import type { MockForeignKey, MockRow, MockSet } from './mock-set.js'
import type { Random } from './random.js'

/** An association without foreign key between two sets. */
interface MockLinks {
  readonly ends: readonly [AssociationEnd, AssociationEnd]
  readonly sets: readonly [MockSet, MockSet]
}

/** The share of entities without a link, if links are optional. */
const NULL_PROBABILITY = 0.1
/** The maximum number of links of an entity in a many-to-many association. */
const MAX_LINKS = 3

/**
 * Removes rows whose mandatory link has no target left, such as surplus rows of a one-to-one association.
 *
 * @returns true if any row was removed
 */
export function removeUnlinkable(links: readonly MockLinks[]): boolean {
  let removed = false
  for (const { ends, sets } of links) {
    for (const end of [0, 1] as const) {
      const [own, other] = end === 0 ? ends : ([ends[1], ends[0]] as const)
      const [made, otherSet] = end === 0 ? sets : ([sets[1], sets[0]] as const)
      if (other.multiplicity !== '1') continue
      const possible = otherSet.ofType(other.type).length
      let left = own.multiplicity === '*' && possible > 0 ? Infinity : possible
      const gone = new Set(made.ofType(own.type).filter((row) => !row.isGiven && --left < 0))
      if (made.remove((row) => gone.has(row))) removed = true
    }
  }
  return removed
}

/** Links entities within the multiplicities, by adding keys under the names of navigation properties. */
export function generateLinks({ ends, sets }: MockLinks, random: Random): void {
  const [first, second] = [sets[0].ofType(ends[0].type), sets[1].ofType(ends[1].type)]
  const linker = new MockLinker(ends, sets)
  if (!linker.isPossible || first.length === 0 || second.length === 0) return
  const [one, other] = [ends[0].multiplicity, ends[1].multiplicity]
  if (one === '*' && other === '*') linkMany(first, second, linker, random)
  else if (one === '*') linkEach(first, second, other === '1', random, (a, b) => linker.link(a, b))
  else if (other === '*') linkEach(second, first, one === '1', random, (b, a) => linker.link(a, b))
  else linkPairs(first, second, one === '1' || other === '1', linker)
}

/** Links the rows of an inferred foreign key like those of an association without one. */
export function linkByForeignKey(foreignKey: MockForeignKey): void {
  const { constraint, principal, dependent } = foreignKey
  if (constraint.isInferred !== true) return
  const linker = new MockLinker([constraint.dependent, constraint.principal], [dependent, principal])
  const principals = new Map(
    principal.ofType(constraint.principal.type).map((row) => [foreignKey.textOf(row), row]),
  )
  for (const row of dependent.ofType(constraint.dependent.type)) {
    const text = foreignKey.textIn(row.values) ?? ''
    const to = principals.get(text)
    if (to === undefined) continue
    linker.link(row, to)
    if (constraint.dependent.multiplicity !== '*') principals.delete(text)
  }
}

function linkMany(
  first: readonly MockRow[],
  second: readonly MockRow[],
  linker: MockLinker,
  random: Random,
): void {
  for (const a of first) {
    const chosen = new Set<MockRow>()
    for (let count = random.below(MAX_LINKS + 1); count > 0; count--) {
      const b = random.anyOf(second)
      if (b !== undefined) chosen.add(b)
    }
    for (const b of chosen) linker.link(a, b)
  }
}

function linkEach(
  many: readonly MockRow[],
  single: readonly MockRow[],
  isMandatory: boolean,
  random: Random,
  link: (row: MockRow, to: MockRow) => void,
): void {
  for (const [index, row] of many.entries()) {
    // Links within one set form a tree, so that only the first entity can be linked to itself.
    const isTree = many[0] === single[0]
    const to = random.anyOf(isTree ? single.slice(0, index) : single) ?? (isMandatory ? single[0] : undefined)
    if (to !== undefined && (isMandatory || !random.chance(NULL_PROBABILITY))) link(row, to)
  }
}

/** Links entities with the same index, shifted by one within one set so that none is linked to itself. */
function linkPairs(
  first: readonly MockRow[],
  second: readonly MockRow[],
  isMandatory: boolean,
  linker: MockLinker,
): void {
  const shift = !isMandatory && first[0] === second[0] ? 1 : 0
  for (const [index, a] of first.entries()) {
    const b = second[index + shift]
    if (b !== undefined) linker.link(a, b)
  }
}

/** Adds the key of a linked entity to the row on the side that has a navigation property. */
class MockLinker {
  private readonly there: readonly NavigationProperty[]
  private readonly back: readonly NavigationProperty[]

  constructor(
    ends: readonly [AssociationEnd, AssociationEnd],
    private readonly sets: readonly [MockSet, MockSet],
  ) {
    this.there = navigations(sets[0], ends[0], sets[1])
    this.back = navigations(sets[1], ends[1], sets[0])
  }

  get isPossible(): boolean {
    return this.there.length + this.back.length > 0
  }

  /** Links two rows by adding a key to one of them. Rows of the caller are not changed. */
  link(first: MockRow, second: MockRow): void {
    const there = first.isGiven ? undefined : navigationOf(first.type, this.there)
    const back = second.isGiven ? undefined : navigationOf(second.type, this.back)
    // Prefers the side with a single entity: one key is easier to read than a list.
    if (there !== undefined && (!there.isCollection || back === undefined || back.isCollection)) {
      write(first, there, this.sets[1], second)
    } else if (back !== undefined) write(second, back, this.sets[0], first)
  }
}

function navigations({ set }: MockSet, end: AssociationEnd, to: MockSet): readonly NavigationProperty[] {
  return [set.entityType, ...set.entityType.derivedTypes]
    .flatMap((type) => type.navigationProperties)
    .filter((navigation) => navigation.fromEnd === end && set.targetOf(navigation) === to.set)
}

function navigationOf(
  type: EntityType,
  navigations: readonly NavigationProperty[],
): NavigationProperty | undefined {
  return navigations.find((one) => type.navigationProperty(one.name) === one)
}

function write(
  { values }: MockRow,
  { name, isCollection }: NavigationProperty,
  to: MockSet,
  row: MockRow,
): void {
  const key = Object.fromEntries(to.set.entityType.key.map((part) => [part.name, row.values[part.name]]))
  if (!isCollection) values[name] = key
  else if (Array.isArray(values[name])) (values[name] as unknown[]).push(key)
  else values[name] = [key]
}
