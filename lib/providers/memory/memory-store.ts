import type { EdmModel, NavigationProperty } from '../../edm/edm-model.js'
import { entitySetsOf } from '../../edm/edm-model.js'
import { foreignKeysOf, linkedSetsOf } from '../../edm/relations.js'
import { getOrCreate } from '../../util/get-or-create.js'
import { EntityTable } from './entity-table.js'
import type { LinkEnd, Relation } from './relation.js'
import { foreignKeyRelation, LinkRelation, LinkTable, oppositeOf, TableForeignKey } from './relation.js'
import { UndoLog } from './undo-log.js'

/** A navigation property from one entity set to another. */
export interface Route {
  readonly navigation: NavigationProperty
  readonly source: EntityTable
  readonly target: EntityTable
  /** The end of the association that is the source. */
  readonly sourceEnd: LinkEnd
}

/** All data of a memory provider. Names are resolved in its own model, since the service may have read the model again. */
export class MemoryStore {
  /** By the path of the entity set. */
  readonly tables: ReadonlyMap<string, EntityTable>
  readonly undoLog = new UndoLog()
  readonly foreignKeys: readonly TableForeignKey[]
  /** A table for each association without foreign key between two entity sets. */
  readonly linkTables: readonly LinkTable[]
  private readonly relations = new Map<string, Relation>()

  constructor(readonly model: EdmModel) {
    const sets = entitySetsOf(model)
    const created = new Date()
    this.tables = new Map(sets.map((set) => [set.path, new EntityTable(set, this.undoLog, created)]))
    this.foreignKeys = foreignKeysOf(model).map(
      (one) => new TableForeignKey(one, this.table(one.principal.path), this.table(one.dependent.path)),
    )
    this.linkTables = linkedSetsOf(model).map(
      ({ association, sets: [first, second] }) =>
        new LinkTable(association, [this.table(first.path), this.table(second.path)], this.undoLog),
    )
  }

  table(path: string): EntityTable {
    const table = this.tables.get(path)
    if (table === undefined) throw new Error(`The memory provider has no entity set '${path}'.`)
    return table
  }

  /** Returns a number that increases with every change of rows, media resources and links of some sets. */
  versionOf(paths: Iterable<string>): number {
    let version = 0
    for (const path of paths) {
      const table = this.table(path)
      version += table.version + table.media.version
      for (const links of this.linkTables) if (links.tables.includes(table)) version += links.version
    }
    return version
  }

  /** Returns the relation of a navigation property from an entity set. */
  relation(path: string, navigation: NavigationProperty): Relation {
    const name = `${path}/${navigation.name}/${navigation.association.qualifiedName}`
    return getOrCreate(this.relations, name, () => this.createRelation(this.route(path, navigation)))
  }

  /** Returns undefined if the model does not define the target set of the navigation property. */
  findRoute(source: EntityTable, navigation: NavigationProperty): Route | undefined {
    const target = source.set.targetOf(navigation)
    if (target === undefined) return undefined
    const sourceEnd = navigation.fromEnd === navigation.association.ends[0] ? 0 : 1
    return { navigation, source, target: this.table(target.path), sourceEnd }
  }

  /** Returns the links of the association of a route, in both directions. */
  linksOf({ navigation, source, target, sourceEnd }: Route): LinkTable {
    const links = this.linkTables.find(
      ({ association, tables }) =>
        association === navigation.association &&
        tables[sourceEnd] === source &&
        tables[oppositeOf(sourceEnd)] === target,
    )
    if (links === undefined) throw new Error(`'${navigation.name}' has no links in the memory provider.`)
    return links
  }

  /** @param navigation may belong to another instance of the model */
  route(path: string, navigation: NavigationProperty): Route {
    const source = this.table(path)
    const own = ownNavigation(source, navigation)
    const route = own && this.findRoute(source, own)
    if (route === undefined) {
      throw new Error(`'${navigation.name}' of '${path}' has no target in the memory provider.`)
    }
    return route
  }

  private createRelation(route: Route): Relation {
    const { navigation, source, target, sourceEnd } = route
    const constraint = navigation.association.referentialConstraint
    return constraint === undefined
      ? new LinkRelation(source, target, this.linksOf(route), sourceEnd)
      : foreignKeyRelation(navigation, constraint, target)
  }
}

/** Finds a navigation property by name and association: two derived types may have one of the same name. */
function ownNavigation(
  { set: { entityType } }: EntityTable,
  { name, association }: NavigationProperty,
): NavigationProperty | undefined {
  return [entityType, ...entityType.derivedTypes]
    .map((type) => type.navigationProperty(name))
    .find((navigation) => navigation?.association.qualifiedName === association.qualifiedName)
}
