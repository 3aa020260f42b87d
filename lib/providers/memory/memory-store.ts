import type { EdmModel, NavigationProperty } from '../../edm/edm-model.js'
import { entitySetsByPath, entitySetsOf } from '../../edm/edm-model.js'
import type { LinkedSets } from '../../edm/relations.js'
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

/**
 * All data of a memory provider. Names are resolved in its own model, since the service may have read the model again.
 * A service of a large model uses few of the tables: they are created when they are first needed.
 */
export class MemoryStore {
  readonly undoLog = new UndoLog()
  private readonly created = new Date()
  private readonly byPath = new Map<string, EntityTable>()
  private readonly foreignKeys = new Map<EntityTable, readonly TableForeignKey[]>()
  private readonly links = new Map<LinkedSets, LinkTable>()
  private readonly linksByTable = new Map<EntityTable, readonly LinkTable[]>()
  private readonly relations = new Map<string, Relation>()

  constructor(readonly model: EdmModel) {}

  /** The paths of all entity sets. */
  get paths(): readonly string[] {
    return entitySetsOf(this.model).map(({ path }) => path)
  }

  /** The tables of all entity sets. */
  get tables(): readonly EntityTable[] {
    return this.paths.map((path) => this.table(path))
  }

  table(path: string): EntityTable {
    const table = this.byPath.get(path) ?? this.findTable(path)
    if (table === undefined) throw new Error(`The memory provider has no entity set '${path}'.`)
    return table
  }

  /** Returns undefined if the model has no such entity set. */
  findTable(path: string): EntityTable | undefined {
    const set = entitySetsByPath(this.model).get(path)
    return set && getOrCreate(this.byPath, path, () => new EntityTable(set, this.undoLog, this.created))
  }

  /** Returns the foreign keys that refer to a table, and those of the table. */
  foreignKeysOf(table: EntityTable): readonly TableForeignKey[] {
    return getOrCreate(this.foreignKeys, table, () =>
      foreignKeysOf(this.model)
        .filter(({ dependent, principal }) => [dependent.path, principal.path].includes(table.path))
        .map(
          (one) => new TableForeignKey(one, this.table(one.principal.path), this.table(one.dependent.path)),
        ),
    )
  }

  /** Returns a table for each association without foreign key between an entity set and another one, or itself. */
  linksFrom(table: EntityTable): readonly LinkTable[] {
    return getOrCreate(this.linksByTable, table, () =>
      linkedSetsOf(this.model)
        .filter(({ sets }) => sets.some(({ path }) => path === table.path))
        .map((one) => getOrCreate(this.links, one, () => this.createLinks(one))),
    )
  }

  private createLinks({ association, sets: [first, second] }: LinkedSets): LinkTable {
    return new LinkTable(association, [this.table(first.path), this.table(second.path)], this.undoLog)
  }

  /** Returns a number that increases with every change of rows, media resources and links of some sets. */
  versionOf(paths: Iterable<string>): number {
    let version = 0
    for (const path of paths) {
      const table = this.table(path)
      version += table.version + table.media.version
      // Links that have not been created have not changed.
      for (const links of this.links.values()) if (links.tables.includes(table)) version += links.version
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
    const links = this.linksFrom(source).find(
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
