import type {
  AssociationDefinition,
  AssociationSetDefinition,
  NavigationPropertyDefinition,
  PropertyDefinition,
} from '../../../edm/model-definition.js'
import { lettersOf } from '../database-schema.js'
import type { DatabaseTable, DatabaseForeignKey } from '../database-schema.js'
import { freeName, plural, referenceName } from './names.js'
import { required } from '../../../util/required.js'

/** The draft of an entity set and its type for a table. */
export interface EntityDraft {
  readonly table: DatabaseTable
  readonly setName: string
  readonly typeName: string
  /** The key columns. */
  readonly key: readonly string[]
  /** The names of properties by column. */
  readonly names: ReadonlyMap<string, string>
  readonly properties: Readonly<Record<string, PropertyDefinition>>
  readonly navigationProperties: Record<string, NavigationPropertyDefinition>
  /** The names of all properties. */
  readonly taken: Set<string>
}

/** The tables of entity sets and links. */
export interface ModelPlaces {
  /** By name of the entity set. */
  readonly entitySets: ReadonlyMap<string, EntityDraft>
  /** By name of the association set. */
  readonly links: ReadonlyMap<string, LinkDraft>
}

/** A table that only links the rows of two others. */
export interface LinkDraft {
  readonly table: DatabaseTable
  readonly ends: readonly [LinkEndDraft, LinkEndDraft]
}

export interface LinkEndDraft {
  readonly role: string
  readonly entity: EntityDraft
  /** Columns of the link table in the order of the key. */
  readonly columns: readonly string[]
}

/** The drafts of associations and association sets by name. */
export interface AssociationDrafts {
  readonly associations: Record<string, AssociationDefinition>
  readonly associationSets: Record<string, AssociationSetDefinition>
  /** The names of types and associations, which must be unique. */
  readonly typeNames: Set<string>
  /** The names of entity sets and association sets, which must be unique. */
  readonly setNames: Set<string>
}

/** A foreign key between two entity sets. */
export interface Reference {
  readonly from: EntityDraft
  readonly to: EntityDraft
  readonly foreignKey: DatabaseForeignKey
}

/**
 * Drafts associations and navigation properties for foreign keys. Navigation properties to principals are named first,
 * after the columns; those to dependents get the remaining names.
 */
export function draftReferences(references: readonly Reference[], drafts: AssociationDrafts): void {
  const named = references.map((reference) => {
    const name = freeName(namesForward(reference), reference.from.taken)
    reference.from.taken.add(name)
    return { reference, name }
  })
  for (const { reference, name } of named) {
    const { from, to, foreignKey } = reference
    const isOnly = references.filter((one) => one.from === from && one.to === to).length === 1
    const hasOne = isKey(from, foreignKey.columns)
    const back = freeName(namesBack(reference, name, { isOnly, hasOne }), to.taken)
    to.taken.add(back)
    const [toRole, fromRole] = name === back ? [name, `${back}2`] : [name, back]
    const association = freeName([`${from.typeName}_${name}`], drafts.typeNames)
    const isOptional = foreignKey.columns.some((column) => from.table.columns.get(column)?.nullable === true)
    const order = to.key.map((column) => foreignKey.targetColumns.indexOf(column))
    add(drafts, association, {
      definition: {
        ends: {
          [toRole]: {
            type: to.typeName,
            multiplicity: isOptional ? '0..1' : '1',
            ...(foreignKey.cascades ? { onDelete: 'Cascade' as const } : {}),
          },
          [fromRole]: { type: from.typeName, multiplicity: hasOne ? '0..1' : '*' },
        },
        referentialConstraint: {
          principal: { role: toRole, properties: propertiesOf(to, to.key) },
          dependent: {
            role: fromRole,
            properties: propertiesOf(
              from,
              order.map((index) => required(foreignKey.columns[index])),
            ),
          },
        },
      },
      setName: freeName([association], drafts.setNames),
      ends: { [toRole]: to.setName, [fromRole]: from.setName },
    })
    from.navigationProperties[name] = way(association, fromRole, toRole)
    to.navigationProperties[back] = way(association, toRole, fromRole)
  }
}

/** Drafts the association and the navigation properties for a link table. */
export function draftLink({ table, ends }: LinkDraft, setName: string, drafts: AssociationDrafts): void {
  const [one, other] = ends
  const association = freeName([setName, `${setName}Links`], drafts.typeNames)
  add(drafts, association, {
    definition: {
      ends: {
        [one.role]: { type: one.entity.typeName, multiplicity: '*' },
        [other.role]: { type: other.entity.typeName, multiplicity: '*' },
      },
    },
    setName,
    ends: { [one.role]: one.entity.setName, [other.role]: other.entity.setName },
  })
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const isWithin = one.entity === other.entity
    const names = isWithin ? [plural(to.role)] : [to.entity.setName, plural(to.role)]
    const name = freeName([...names, `${plural(to.role)}Of${referenceName(table.name)}`], from.entity.taken)
    from.entity.taken.add(name)
    from.entity.navigationProperties[name] = way(association, from.role, to.role)
  }
}

/** Returns true if columns are the key or a unique key of the table. */
function isKey({ key, table }: EntityDraft, columns: readonly string[]): boolean {
  return [key, ...table.uniqueKeys].some(
    (one) => one.length === columns.length && one.every((column) => columns.includes(column)),
  )
}

function namesForward({ from, to, foreignKey }: Reference): string[] {
  const [column = ''] = foreignKey.columns
  const name = foreignKey.columns.length === 1 ? referenceName(column) : to.typeName
  // Names that a database has folded to lower case have lost their word boundaries.
  const isFolded = [to.typeName, `${to.typeName}id`].some((one) => lettersOf(one) === lettersOf(column))
  const base = isFolded ? to.typeName : name
  if (from !== to) return [base, to.typeName, `${base}${to.typeName}`, `${to.typeName}Entity`]
  return base === to.typeName ? ['Parent', `Parent${base}`] : [base, 'Parent', `Parent${to.typeName}`]
}

function namesBack(
  { from, to }: Reference,
  forward: string,
  { isOnly, hasOne }: { readonly isOnly: boolean; readonly hasOne: boolean },
): string[] {
  const all = hasOne ? from.typeName : from.setName
  if (from === to) {
    const own = hasOne ? 'Child' : 'Children'
    return isOnly ? [own, `${forward}${own}`] : [`${forward}${own}`]
  }
  const role = forward.endsWith(to.typeName) ? forward.slice(0, -to.typeName.length) : forward
  return isOnly ? [all, `${role}${all}`, `${forward}${all}`] : [`${role}${all}`, `${forward}${all}`]
}

function way(relationship: string, fromRole: string, toRole: string): NavigationPropertyDefinition {
  return { relationship, fromRole, toRole }
}

function add(
  { associations, associationSets, typeNames, setNames }: AssociationDrafts,
  name: string,
  one: {
    readonly definition: AssociationDefinition
    readonly setName: string
    readonly ends: Readonly<Record<string, string>>
  },
): void {
  associations[name] = one.definition
  associationSets[one.setName] = { association: name, ends: one.ends }
  typeNames.add(name)
  setNames.add(one.setName)
}

function propertiesOf({ names }: EntityDraft, columns: readonly string[]): string[] {
  return columns.map((column) => names.get(column) ?? column)
}
