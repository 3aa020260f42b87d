import type { EdmModel, NavigationProperty } from '../../edm/edm-model.js'
import { foreignKeysOf, linkedSetsOf } from '../../edm/relations.js'
import { EntityTable } from './entity-table.js'
import { TableForeignKey } from './foreign-key.js'
import { Journal } from './journal.js'
import type { LinkEnd } from './link-table.js'
import { LinkTable, oppositeOf } from './link-table.js'
import type { Relation } from './relation.js'
import { foreignKeyRelation, LinkRelation } from './relation.js'

/** What leads from an entity to others: to which set, and by which links where there is no foreign key. */
export interface Route {
  readonly navigation: NavigationProperty
  readonly source: EntityTable
  readonly target: EntityTable
  /** The end of the association where the route starts. */
  readonly sourceEnd: LinkEnd
}

/**
 * All data of a memory provider: a table for each entity set and one for the links of each association between two
 * sets. Everything is found by name, since a service may have read the model a second time.
 */
export class MemoryStore {
  /** By the path of the entity set. */
  readonly tables: ReadonlyMap<string, EntityTable>
  readonly journal = new Journal()
  readonly foreignKeys: readonly TableForeignKey[]
  readonly linkTables: readonly LinkTable[]
  private readonly relations = new Map<string, Relation>()

  constructor(readonly model: EdmModel) {
    const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets)
    this.tables = new Map(sets.map((set) => [set.path, new EntityTable(set, this.journal)]))
    this.foreignKeys = foreignKeysOf(model).map(
      (one) => new TableForeignKey(one, this.table(one.principal.path), this.table(one.dependent.path)),
    )
    this.linkTables = linkedSetsOf(model).map(
      ({ association, sets: [first, second] }) =>
        new LinkTable(association, [this.table(first.path), this.table(second.path)], this.journal),
    )
  }

  table(path: string): EntityTable {
    const table = this.tables.get(path)
    if (table === undefined) throw new Error(`The memory provider has no entity set '${path}'.`)
    return table
  }

  /** The version of what is committed in some sets; undefined while a change set is open. */
  committedVersionOf(paths: Iterable<string>): number | undefined {
    return this.journal.hasOpenChangeSet ? undefined : this.versionOf(paths)
  }

  /** A number that increases with every change of some sets: of their rows, media resources and links. */
  versionOf(paths: Iterable<string>): number {
    // None of the versions ever decreases: no two states have the same sum.
    let version = 0
    for (const path of paths) {
      const table = this.table(path)
      version += table.version + table.media.version
      for (const links of this.linkTables) if (links.tables.includes(table)) version += links.version
    }
    return version
  }

  /** How a navigation property leads on from the entities of a set. */
  relation(path: string, navigation: NavigationProperty): Relation {
    const name = `${path}/${navigation.name}/${navigation.association.qualifiedName}`
    let relation = this.relations.get(name)
    if (relation === undefined) {
      relation = this.relationOver(this.route(path, navigation))
      this.relations.set(name, relation)
    }
    return relation
  }

  /** Undefined when the model does not tell to which set the navigation property leads. */
  findRoute(source: EntityTable, navigation: NavigationProperty): Route | undefined {
    const target = source.set.targetOf(navigation)
    if (target === undefined) return undefined
    const sourceEnd = navigation.fromEnd === navigation.association.ends[0] ? 0 : 1
    return { navigation, source, target: this.table(target.path), sourceEnd }
  }

  /** The links of the association that a route takes, which the way back takes too. */
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

  /** The way that a navigation property of a service's model takes from the entities of a set. */
  route(path: string, navigation: NavigationProperty): Route {
    const source = this.table(path)
    const own = ownNavigation(source, navigation)
    const route = own === undefined ? undefined : this.findRoute(source, own)
    if (route === undefined)
      throw new Error(`'${navigation.name}' leads from '${path}' to no set of the memory provider.`)
    return route
  }

  private relationOver(route: Route): Relation {
    const { navigation, source, target, sourceEnd } = route
    const constraint = navigation.association.referentialConstraint
    return constraint === undefined
      ? new LinkRelation(source, target, this.linksOf(route), sourceEnd)
      : foreignKeyRelation(navigation, constraint, target)
  }
}

/** The navigation property of the provider's own model. Two derived types may have one of the same name. */
function ownNavigation(
  { set: { entityType } }: EntityTable,
  { name, association }: NavigationProperty,
): NavigationProperty | undefined {
  for (const type of [entityType, ...entityType.derivedTypes]) {
    const navigation = type.navigationProperty(name)
    if (navigation?.association.qualifiedName === association.qualifiedName) return navigation
  }
  return undefined
}
