import type { Association, AssociationEnd } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import type { EntityTable } from './entity-table.js'
import type { LinkEnd } from './link-table.js'
import type { MemoryStore } from './memory-store.js'

/**
 * Sees to it that what the model says must be linked is linked when all changes that belong together are made. Only
 * links without a foreign key are looked at here, and only those of entities that are new or were unlinked: the data
 * at the start may lack some.
 *
 * @spec MC-CSDL 2.1.9 (multiplicity)
 */
export class MandatoryLinks {
  constructor(private readonly store: MemoryStore) {}

  /** To be called for every new entity, and for every one that has lost a link. */
  look(table: EntityTable, text: string): void {
    for (const { association, tables } of this.store.linkedSets) {
      for (const end of [0, 1] as const) {
        if (tables[end] !== table || opposite(association, end).multiplicity !== '1') continue
        const name = `${association.qualifiedName}/${end}/${table.path}/${text}`
        this.store.journal.require(name, () => {
          this.check(association, end, table, text)
        })
      }
    }
  }

  private check(association: Association, end: LinkEnd, table: EntityTable, text: string): void {
    const row = table.find(text)
    if (row === undefined || this.isLinked(association, end, table, text)) return
    const type = typeOfRow(row, table.set.entityType)
    if (!type.isOrInherits(association.ends[end].type)) return
    throw new ODataError('BadRequest', {
      message: `An entity of '${table.path}' must be linked: ${where(association, end, row, table)}`,
    })
  }

  /** Over any of the sets to which the association leads. */
  private isLinked(association: Association, end: LinkEnd, table: EntityTable, text: string): boolean {
    return this.store.linkedSets.some(
      (sets) =>
        sets.association === association &&
        sets.tables[end] === table &&
        this.store.linksBetween(association, sets.tables).linkedTo(end, text).size > 0,
    )
  }
}

function where(association: Association, end: LinkEnd, row: Row, table: EntityTable): string {
  const other = opposite(association, end)
  const navigation = typeOfRow(row, table.set.entityType).navigationProperties.find(
    (one) => one.association === association && one.toEnd === other,
  )
  return navigation === undefined
    ? `it needs the '${other.role}' of association '${association.qualifiedName}'.`
    : `'${navigation.name}' needs an entity.`
}

function opposite({ ends }: Association, end: LinkEnd): AssociationEnd {
  return ends[end === 0 ? 1 : 0]
}
