import type { NavigationProperty, Property, ReferentialConstraint } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import type { EntityTable } from './entity-table.js'
import type { LinkEnd, LinkTable } from './link-table.js'
import type { RowIndex } from './row-index.js'

/** A navigation property between two sets, followed in memory. */
export interface Relation {
  readonly target: EntityTable
  /** The related rows in the order of their keys. */
  relatedTo(row: Row): readonly Row[]
  /** The first of them. */
  firstRelatedTo(row: Row): Row | undefined
}

const none: readonly Row[] = []

/** From the properties on one side of a foreign key to those on the other. */
class ForeignKeyRelation implements Relation {
  private readonly names: readonly string[]
  private readonly types: readonly PrimitiveTypeName[]
  /** Absent when the target is looked up by its own key, for which no index is needed. */
  private readonly index: RowIndex | undefined

  constructor(
    readonly target: EntityTable,
    from: readonly Property[],
    to: readonly Property[],
  ) {
    this.names = from.map(({ name }) => name)
    this.types = to.map(({ type }) => type as PrimitiveTypeName)
    const { key } = target.set.entityType
    const isKey = to.length === key.length && to.every(({ name }, index) => name === key[index]?.name)
    this.index = isKey ? undefined : target.index(to)
  }

  relatedTo(row: Row): readonly Row[] {
    const text = keyText(row, this.names, this.types)
    if (this.index !== undefined) return this.index.find(text)
    const found = this.target.find(text)
    return found === undefined ? none : [found]
  }

  firstRelatedTo(row: Row): Row | undefined {
    const text = keyText(row, this.names, this.types)
    return this.index === undefined ? this.target.find(text) : this.index.find(text)[0]
  }
}

/** The relation of a navigation property whose association has a foreign key. */
export function foreignKeyRelation(
  navigation: NavigationProperty,
  constraint: ReferentialConstraint,
  target: EntityTable,
): Relation {
  const { principalProperties, dependentProperties } = constraint
  return navigation.toEnd === constraint.dependent
    ? new ForeignKeyRelation(target, principalProperties, dependentProperties)
    : new ForeignKeyRelation(target, dependentProperties, principalProperties)
}

/** From one end of the links between two sets to the other. */
export class LinkRelation implements Relation {
  /** Found once for each source, and again after a change. */
  private readonly found = new Map<string, readonly Row[]>()
  private foundIn = -1

  constructor(
    private readonly source: EntityTable,
    readonly target: EntityTable,
    private readonly links: LinkTable,
    private readonly sourceEnd: LinkEnd,
  ) {}

  relatedTo(row: Row): readonly Row[] {
    const text = this.source.keyText(row)
    if (text === undefined) return none
    this.forgetWhenChanged()
    const known = this.found.get(text)
    if (known !== undefined) return known
    const rows = this.rowsLinkedTo(text)
    // Only what is linked is kept: rows with any keys may be asked about.
    if (rows.length > 0) this.found.set(text, rows)
    return rows
  }

  firstRelatedTo(row: Row): Row | undefined {
    return this.relatedTo(row)[0]
  }

  private rowsLinkedTo(text: string): readonly Row[] {
    const rows: Row[] = []
    for (const one of this.links.linkedTo(this.sourceEnd, text)) {
      const row = this.target.find(one)
      if (row !== undefined) rows.push(row)
    }
    return rows.sort(this.target.compare)
  }

  private forgetWhenChanged(): void {
    // Neither number ever decreases: no two states have the same sum.
    const version = this.links.version + this.target.version
    if (version === this.foundIn) return
    this.found.clear()
    this.foundIn = version
  }
}
