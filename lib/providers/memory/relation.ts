import type { Association, NavigationProperty, ReferentialConstraint } from '../../edm/edm-model.js'
import type { ForeignKey } from '../../edm/relations.js'
import { keyShape } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { EntityTable, RowIndex } from './entity-table.js'
import type { UndoLog } from './undo-log.js'

/** Follows a navigation property from an entity set to another. */
export interface Relation {
  readonly target: EntityTable
  /** Returns the related rows in the order of their keys. */
  relatedTo(row: Row): readonly Row[]
  firstRelatedTo(row: Row): Row | undefined
}

/** Creates the relation of a navigation property whose association has a foreign key. */
export function foreignKeyRelation(
  { toEnd }: NavigationProperty,
  { dependent, dependentProperties, principalProperties }: ReferentialConstraint,
  target: EntityTable,
): Relation {
  const toDependents = toEnd === dependent
  const own = keyShape(toDependents ? principalProperties : dependentProperties)
  const index = target.index(toDependents ? dependentProperties : principalProperties)
  return {
    target,
    relatedTo: (row) => index.find(index.textOf(row, own)),
    firstRelatedTo: (row) => index.findFirst(index.textOf(row, own)),
  }
}

/** A referential constraint between two tables. */
export class TableForeignKey {
  readonly names: readonly string[]
  private principalShape: ReturnType<typeof keyShape> | undefined

  constructor(
    readonly definition: ForeignKey,
    readonly principal: EntityTable,
    readonly dependent: EntityTable,
  ) {
    this.names = definition.constraint.dependentProperties.map(({ name }) => name)
  }

  /** Finds dependents by the text of their foreign key. */
  get dependents(): RowIndex {
    return this.dependent.index(this.definition.constraint.dependentProperties)
  }

  dependentsOf(principal: Row): readonly Row[] {
    const shape = (this.principalShape ??= keyShape(this.definition.constraint.principalProperties))
    const { dependents } = this
    return dependents.find(dependents.textOf(principal, shape))
  }

  /** @param text the foreign key as text */
  hasPrincipal(text: string): boolean {
    return this.principal.index(this.definition.constraint.principalProperties).findFirst(text) !== undefined
  }
}

/** The index of an end of an association. */
export type LinkEnd = 0 | 1

export function oppositeOf(end: LinkEnd): LinkEnd {
  return end === 0 ? 1 : 0
}

const unlinked: ReadonlySet<string> = new Set()

/** The links of an association without foreign key between two tables, as pairs of keys in the form of strings. */
export class LinkTable {
  /** Increases with every change, rollbacks included. */
  version = 0
  /** The keys linked to a key, for each end. */
  private partners: readonly [Map<string, Set<string>>, Map<string, Set<string>>] | undefined

  /** @param tables in the order of the ends of the association */
  constructor(
    readonly association: Association,
    readonly tables: readonly [EntityTable, EntityTable],
    private readonly undoLog: UndoLog,
  ) {}

  /** Returns the keys that an entity at an end is linked to. */
  linkedTo(end: LinkEnd, key: string): ReadonlySet<string> {
    return this.partners?.[end].get(key) ?? unlinked
  }

  /** Links an entity at an end to one at the opposite end. */
  link(end: LinkEnd, key: string, partner: string): void {
    if (this.linkedTo(end, key).has(partner)) return
    this.undoLog.record(() => {
      this.unlink(end, key, partner)
    })
    this.partnersOf(end, key).add(partner)
    this.partnersOf(oppositeOf(end), partner).add(key)
    this.version++
  }

  /** @returns false if they were not linked */
  unlink(end: LinkEnd, key: string, partner: string): boolean {
    if (!this.linkedTo(end, key).has(partner)) return false
    this.undoLog.record(() => {
      this.link(end, key, partner)
    })
    this.partnersOf(end, key).delete(partner)
    this.partnersOf(oppositeOf(end), partner).delete(key)
    this.version++
    return true
  }

  private partnersOf(end: LinkEnd, key: string): Set<string> {
    this.partners ??= [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
    return getOrCreate(this.partners[end], key, () => new Set())
  }
}

/** Follows links from one end of an association to the other. */
export class LinkRelation implements Relation {
  private readonly cache = new Map<string, readonly Row[]>()
  private cachedVersion = -1

  constructor(
    private readonly source: EntityTable,
    readonly target: EntityTable,
    private readonly links: LinkTable,
    private readonly sourceEnd: LinkEnd,
  ) {}

  relatedTo(row: Row): readonly Row[] {
    const key = this.source.keyText(row)
    if (key === undefined) return []
    // The versions only increase, so that different states have different sums.
    const version = this.links.version + this.target.version
    if (version !== this.cachedVersion) this.cache.clear()
    this.cachedVersion = version
    const cached = this.cache.get(key)
    if (cached !== undefined) return cached
    const rows = this.target.findAll(this.links.linkedTo(this.sourceEnd, key))
    // Only linked rows are cached: clients can send any keys.
    if (rows.length > 0) this.cache.set(key, rows)
    return rows
  }

  firstRelatedTo(row: Row): Row | undefined {
    return this.relatedTo(row)[0]
  }
}
