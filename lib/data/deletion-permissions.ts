import type { AssociationEnd, EdmModel, EntitySet, NavigationProperty, Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { entityName, foreignKeysOf, linkedSetsOf } from '../edm/relations.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { Expression, PropertyPath } from '../query/expression.js'
import { conditionOf, conjunction } from '../query/expression.js'
import { computeOnce, groupBy } from '../util/get-or-create.js'
import type { ColumnRights } from './column-rights.js'
import { ignoreRefusal } from './column-rights.js'
import type { Permissions } from './permissions.js'
import { everything } from './pushdown.js'
import { collect } from './related-reader.js'
import type { TargetReader } from './target-reader.js'

/** Entities that refer to the entities of a set. Deleting these resets the reference, or deletes both. */
interface Reference {
  readonly to: string
  readonly set: EntitySet
  /** The foreign key and the navigation properties that a reset changes. */
  readonly columns: readonly string[]
  readonly cascades: boolean
  /** The path to each value that refers to an entity, and the property of that entity with the same value. */
  readonly values: readonly (readonly [path: PropertyPath, referenced: Property])[]
}

/** The references of a model by the set that they lead to. */
const references = computeOnce((model: EdmModel) => groupBy(referencesOf(model), ({ to }) => to))
/** Deleted entities in one condition, which reads those that refer to them: databases limit the size of conditions. */
const MAX_ROWS_OF_CONDITION = 100

/** Checks that deleting entities resets no column of other entities that the caller cannot change. */
export class DeletionPermissions {
  /** The entities that are deleted, also by cascades, by their address. */
  private readonly deleted = new Map<string, { readonly set: EntitySet; readonly row: Row }>()

  constructor(
    private readonly model: EdmModel,
    private readonly columns: ColumnRights,
    private readonly permissions: Permissions<unknown>,
    private readonly targets: TargetReader,
  ) {}

  /** @throws ODataError Forbidden */
  async check(set: EntitySet, row: Row): Promise<void> {
    await this.collect(set, [row])
    const rows = groupBy(this.deleted.values(), (one) => one.set)
    for (const [to, deleted] of rows) {
      for (const reference of this.referencesTo(to)) {
        if (reference.cascades || !(await this.isRestricted(reference))) continue
        const referring = await this.referring(
          reference,
          deleted.map((one) => one.row),
          this.deleted.size + 1,
        )
        // The message does not name the columns, which may be hidden.
        if (referring.some((one) => !this.deleted.has(entityName(reference.set, one)))) {
          throw new ODataError('Forbidden', {
            message: `Entities of '${reference.set.path}' refer to this entity of '${set.path}', and their references cannot be changed.`,
          })
        }
      }
    }
  }

  private async collect(set: EntitySet, rows: readonly Row[]): Promise<void> {
    const added = rows.filter((row) => !this.deleted.has(entityName(set, row)))
    for (const row of added) this.deleted.set(entityName(set, row), { set, row })
    for (const reference of this.referencesTo(set)) {
      if (reference.cascades) await this.collect(reference.set, await this.referring(reference, added))
    }
  }

  private referencesTo({ path }: EntitySet): readonly Reference[] {
    const all = references(this.model)
    return all.get(path) ?? []
  }

  private async isRestricted({ columns, set }: Reference): Promise<boolean> {
    for (const kind of ['unlink', 'read'] as const) {
      const operation = { kind, entitySet: set.path, expandDepth: 0 }
      await ignoreRefusal(() => this.permissions.filters(operation, set))
    }
    return columns.some((name) => this.columns.isReadonly(set, name) || this.columns.isHidden(set, name))
  }

  private async referring(
    { set, values }: Reference,
    rows: readonly Row[],
    limit = Number.POSITIVE_INFINITY,
  ): Promise<readonly Row[]> {
    const found: Row[] = []
    for (let start = 0; start < rows.length && found.length < limit; start += MAX_ROWS_OF_CONDITION) {
      const some = rows.slice(start, start + MAX_ROWS_OF_CONDITION)
      const conditions = some.flatMap(
        (row) => conjunction(values.map(([path, one]) => isValue(path, row[one.name]))) ?? [],
      )
      const condition = conjunction(conditions, 'or')
      if (condition === undefined) continue
      const collection = { set, restrictions: [condition], filters: [] }
      const read = await this.targets.read(collection, { ...everything(set), limit })
      found.push(...(await collect(read.rows)))
    }
    return found
  }
}

function isValue(path: PropertyPath, value: unknown): Expression {
  return conditionOf('eq', path, { kind: 'Literal', type: path.type, value }, path.type)
}

function referencesOf(model: EdmModel): readonly Reference[] {
  const byForeignKey = foreignKeysOf(model).flatMap(
    ({ cascades, constraint, dependent, isOptional, principal }) => {
      // The provider refuses to delete an entity that others require.
      if (!cascades && !isOptional) return []
      const { dependentProperties, principalProperties } = constraint
      const columns = [
        ...dependentProperties.map(({ name }) => name),
        ...navigationTo(dependent, constraint.dependent, constraint.principal).map(({ name }) => name),
      ]
      const values = principalProperties.flatMap((property, index) => {
        const own = dependentProperties[index]
        return own === undefined ? [] : [[pathOf(own), property] as const]
      })
      return [{ to: principal.path, set: dependent, columns, cascades, values }]
    },
  )
  return [
    ...byForeignKey,
    ...linkedSetsOf(model).flatMap(({ association: { ends }, sets }) => [
      ...linkReferences(sets[0], ends[0], sets[1], ends[1]),
      ...linkReferences(sets[1], ends[1], sets[0], ends[0]),
    ]),
  ]
}

/** Returns the reference of entities to the only entity at the other end of an association without foreign key. */
function linkReferences(
  to: EntitySet,
  toEnd: AssociationEnd,
  set: EntitySet,
  fromEnd: AssociationEnd,
): readonly Reference[] {
  const cascades = toEnd.onDelete === 'Cascade'
  if (toEnd.multiplicity === '*' || (toEnd.multiplicity === '1' && !cascades)) return []
  return navigationTo(set, fromEnd, toEnd)
    .slice(0, 1)
    .map((navigation) => ({
      to: to.path,
      set,
      columns: [navigation.name],
      cascades,
      values: to.entityType.key.map(
        (key) => [pathOf(key, [{ kind: 'Navigation', navigation, target: to }]), key] as const,
      ),
    }))
}

function navigationTo(
  { entityType }: EntitySet,
  from: AssociationEnd,
  to: AssociationEnd,
): readonly NavigationProperty[] {
  const types = [entityType, ...entityType.derivedTypes]
  const all = types.flatMap(({ navigationProperties }) => navigationProperties)
  return all.filter(({ fromEnd, toEnd }) => fromEnd === from && toEnd === to)
}

function pathOf(property: Property, steps: PropertyPath['steps'] = []): PropertyPath {
  return { kind: 'PropertyPath', steps, property, type: property.type as PrimitiveTypeName }
}
