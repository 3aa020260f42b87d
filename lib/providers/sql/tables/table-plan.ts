import { sapAnnotation } from '../../../edm/annotations.js'
import { groupIdOf } from '../../../edm/analytical-set.js'
import type {
  AssociationSet,
  AssociationSetEnd,
  EdmModel,
  EntitySet,
  EntityType,
  Property,
} from '../../../edm/edm-model.js'
import { isPrimitive, setInRole } from '../../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import { allowedStrings } from '../../../edm/vocabularies/allowed-values.js'
import { required } from '../../../util/required.js'
import { snakeCase } from '../database-schema.js'
import type { EntitySetMapping, LinkTableMapping, SqlMapping } from '../sql-mapping.js'

/** A column that a model needs. */
export interface ColumnPlan extends Pick<
  Property,
  'maxLength' | 'precision' | 'scale' | 'defaultValue' | 'computedDefaultValue' | 'storeGeneratedPattern'
> {
  readonly name: string
  readonly type: PrimitiveTypeName
  readonly isRequired: boolean
  /** True for columns of keys and foreign keys, which have indexes. */
  readonly identifies: boolean
  /** True for dates without a time. */
  readonly isDay: boolean
  /** The strings that the column accepts; undefined for all. */
  readonly allowed?: readonly string[] | undefined
  readonly comment?: string | undefined
}

/** A foreign key that a model needs. */
export interface ForeignKeyPlan {
  readonly columns: readonly string[]
  readonly target: TableName
  readonly targetColumns: readonly string[]
  readonly cascades: boolean
}

/** The name of a table. */
export interface TableName {
  /** Undefined for the default schema. */
  readonly schema: string | undefined
  readonly name: string
}

/** A table that a model needs: that of an entity set, or of links between entities. */
export interface TablePlan extends TableName {
  /** The entity set; undefined for a link table. */
  readonly set: EntitySet | undefined
  readonly columns: readonly ColumnPlan[]
  /** Empty for an analytical set, whose rows have no key. */
  readonly primaryKey: readonly string[]
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKeyPlan[]
  readonly comment?: string | undefined
}

/** How names of a model become names of a database. */
export interface NamingOptions {
  /**
   * The names of tables and columns: `same` as in the model, or `snake_case`: the table `order_details` for
   * `OrderDetails`. Names in the mapping stay as they are. Default: `same`
   */
  readonly names?: 'same' | 'snake_case' | undefined
}

/** Returns the tables that `sqlProvider` needs for a model. */
export function planTables(
  model: EdmModel,
  mapping: SqlMapping,
  { names = 'same' }: NamingOptions,
): readonly TablePlan[] {
  return new TablePlanner(mapping, names === 'same' ? (name) => name : snakeCase).plan(model)
}

class TablePlanner {
  constructor(
    private readonly mapping: SqlMapping,
    private readonly convert: (name: string) => string,
  ) {}

  plan({ entityContainers }: EdmModel): TablePlan[] {
    return entityContainers.flatMap(({ entitySets, associationSets }) => [
      ...entitySets.map((set) => this.entityTable(set, associationSets)),
      ...associationSets.flatMap((one) =>
        one.association.referentialConstraint === undefined ? [this.linkTable(one)] : [],
      ),
    ])
  }

  private entityTable(set: EntitySet, associationSets: readonly AssociationSet[]): TablePlan {
    const { entityType } = set
    const references = associationSets.flatMap((one) => this.referenceFrom(set, one) ?? [])
    const foreignKeys = references.map(({ foreignKey }) => foreignKey)
    const primaryKey = groupIdOf(set) === undefined ? this.keyColumns(set) : []
    const identifying = new Set([...primaryKey, ...foreignKeys.flatMap(({ columns }) => columns)])
    const uniqueKeys = references.flatMap(({ foreignKey: { columns }, isUnique }) =>
      isUnique && !(columns.length === primaryKey.length && columns.every((one) => primaryKey.includes(one)))
        ? [columns]
        : [],
    )
    return {
      ...this.nameOfSet(set),
      set,
      columns: [
        ...this.propertyColumns(set, identifying),
        ...this.typeColumn(set),
        ...this.mediaColumns(set),
      ],
      primaryKey,
      uniqueKeys,
      foreignKeys,
      comment: entityType.documentation?.summary,
    }
  }

  private propertyColumns(set: EntitySet, identifying: ReadonlySet<string>): ColumnPlan[] {
    const { entityType } = set
    const flat = (property: Property, owner: readonly string[], isNullable: boolean): ColumnPlan[] => {
      if (property.computed !== undefined || property === groupIdOf(set)) return []
      const path = [...owner, property.name]
      const { type, nullable } = property
      const mayBeNull = isNullable || nullable
      if (!isPrimitive(type)) return type.properties.flatMap((member) => flat(member, path, mayBeNull))
      const name = this.columnName(set, path)
      return [columnOf(property, type, name, !mayBeNull || property.isKey, identifying.has(name))]
    }
    return [
      ...entityType.properties.flatMap((property) => flat(property, [], false)),
      ...entityType.derivedTypes.flatMap(({ declaredProperties }) =>
        declaredProperties.flatMap((property) => flat(property, [], true)),
      ),
    ]
  }

  private typeColumn(set: EntitySet): ColumnPlan[] {
    const { typeColumn } = this.mappingOf(set)
    return set.entityType.derivedTypes.length === 0
      ? []
      : [{ ...ownColumn(typeColumn ?? this.convert('Discriminator'), 'Edm.String', 128), isRequired: true }]
  }

  private mediaColumns(set: EntitySet): ColumnPlan[] {
    const { content, contentType, fileName } = this.mappingOf(set).media ?? {}
    if (!typesOf(set).some(({ hasStream }) => hasStream)) return []
    return [
      ownColumn(content ?? this.convert('MediaContent'), 'Edm.Binary', 'Max'),
      ownColumn(contentType ?? this.convert('MediaContentType'), 'Edm.String', 255),
      ...(fileName === undefined ? [] : [ownColumn(fileName, 'Edm.String', 255)]),
    ]
  }

  /** Returns the foreign key of an association set in the table of a set; undefined if that set is not the dependent one. */
  private referenceFrom(
    set: EntitySet,
    associationSet: AssociationSet,
  ): { readonly foreignKey: ForeignKeyPlan; readonly isUnique: boolean } | undefined {
    const constraint = associationSet.association.referentialConstraint
    if (constraint === undefined || constraint.isInferred === true) return undefined
    const { principal, principalProperties, dependent, dependentProperties } = constraint
    const target = setInRole(associationSet, principal.role)
    if (setInRole(associationSet, dependent.role) !== set || target === undefined) return undefined
    return {
      foreignKey: {
        columns: dependentProperties.map(({ name }) => this.columnName(set, [name])),
        target: this.nameOfSet(target),
        targetColumns: principalProperties.map(({ name }) => this.columnName(target, [name])),
        cascades: principal.onDelete === 'Cascade',
      },
      isUnique: dependent.multiplicity !== '*',
    }
  }

  private linkTable(associationSet: AssociationSet): TablePlan {
    const { name, ends, association } = associationSet
    const { table, columns: mapped }: LinkTableMapping = this.mapping.associationSets?.[name] ?? {}
    const keys = ends.map((end) => {
      const { role, entitySet } = end
      const columns = entitySet.entityType.key.map((property) => ({
        ...required(this.keyPlans(entitySet).find(({ of }) => of === property)).plan,
        name: mapped?.[role]?.[property.name] ?? this.convert(`${role}_${property.name}`),
        storeGeneratedPattern: undefined,
        defaultValue: undefined,
        computedDefaultValue: undefined,
      }))
      return { end, columns, names: columns.map((column) => column.name) }
    })
    // An entity with at most one link identifies it.
    const single = keys.find(({ end }) => multiplicityAt(association, otherRole(ends, end)) !== '*')
    return {
      ...splitName(table ?? this.convert(name)),
      set: undefined,
      columns: keys.flatMap(({ columns }) => columns),
      primaryKey: single?.names ?? keys.flatMap(({ names }) => names),
      uniqueKeys: keys.flatMap((key) =>
        key !== single && multiplicityAt(association, otherRole(ends, key.end)) !== '*' ? [key.names] : [],
      ),
      foreignKeys: keys.map(({ end: { entitySet }, names }) => ({
        columns: names,
        target: this.nameOfSet(entitySet),
        targetColumns: this.keyColumns(entitySet),
        cascades: false,
      })),
    }
  }

  private keyPlans(set: EntitySet): { readonly of: Property; readonly plan: ColumnPlan }[] {
    return set.entityType.key.flatMap((of) =>
      isPrimitive(of.type)
        ? [{ of, plan: columnOf(of, of.type, this.columnName(set, [of.name]), true, true) }]
        : [],
    )
  }

  private keyColumns(set: EntitySet): string[] {
    return set.entityType.key.map(({ name }) => this.columnName(set, [name]))
  }

  private columnName(set: EntitySet, path: readonly string[]): string {
    return this.mappingOf(set).columns?.[path.join('/')] ?? this.convert(path.join('_'))
  }

  private nameOfSet(set: EntitySet): TableName {
    return splitName(this.mappingOf(set).table ?? this.convert(set.name))
  }

  private mappingOf({ path }: EntitySet): EntitySetMapping {
    return this.mapping.entitySets?.[path] ?? {}
  }
}

function splitName(text: string): TableName {
  const dot = text.indexOf('.')
  return dot < 0
    ? { schema: undefined, name: text }
    : { schema: text.slice(0, dot), name: text.slice(dot + 1) }
}

function typesOf({ entityType }: EntitySet): readonly EntityType[] {
  return [entityType, ...entityType.derivedTypes]
}

function otherRole(ends: readonly AssociationSetEnd[], { role }: AssociationSetEnd): string {
  return required(ends.find((one) => one.role !== role)).role
}

function multiplicityAt({ ends }: AssociationSet['association'], role: string): string {
  return required(ends.find((one) => one.role === role)).multiplicity
}

function columnOf(
  property: Property,
  type: PrimitiveTypeName,
  name: string,
  isRequired: boolean,
  identifies: boolean,
): ColumnPlan {
  const { maxLength, precision, scale, defaultValue, computedDefaultValue, storeGeneratedPattern } = property
  return {
    name,
    type,
    maxLength,
    precision,
    scale,
    defaultValue,
    computedDefaultValue,
    storeGeneratedPattern,
    isRequired,
    identifies,
    isDay:
      type === 'Edm.DateTime' &&
      sapAnnotation(property, 'display-format') === 'Date' &&
      (precision ?? 0) === 0,
    allowed: type === 'Edm.String' ? allowedStrings(property) : undefined,
    comment: property.documentation?.summary,
  }
}

/** Returns a column that no property has. */
function ownColumn(name: string, type: PrimitiveTypeName, maxLength: number | 'Max'): ColumnPlan {
  return { name, type, maxLength, isRequired: false, identifies: false, isDay: false }
}
