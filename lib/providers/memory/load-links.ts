import type { EntityType, NavigationProperty, ReferentialConstraint } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { entityName } from '../../edm/relations.js'
import { didYouMean } from '../../errors/suggestions.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import { isRecord } from '../../util/is-record.js'
import type { DataFaults } from './data-faults.js'
import type { EntityTable } from './entity-table.js'
import { oppositeOf } from './link-table.js'
import type { LoadedRow } from './load-rows.js'
import type { MemoryStore, Route } from './memory-store.js'
import type { NewRow } from './row-shape.js'
import { ownMember } from './row-shape.js'
import { describeValue, expectedValue, storedValue } from './stored-value.js'

/**
 * Links entities as the keys in their navigation properties say: by filling foreign keys where the association has
 * a referential constraint, else in the table of links.
 */
export function loadLinks(store: MemoryStore, rows: readonly LoadedRow[], faults: DataFaults): void {
  for (const one of rows) {
    for (const navigation of one.type.navigationProperties) {
      const member = ownMember(one.given, navigation.name)
      if (member === undefined || member === null) continue
      const place = `${one.place}.${navigation.name}`
      const route = store.findRoute(one.table, navigation)
      if (route === undefined) {
        faults.add(place, 'the model does not say to which entity set it leads. Give it an association set.')
      } else {
        const link = new Linker(store, route, place, faults)
        for (const value of referencesIn(member, navigation, place, faults)) link.add(one.row, value)
      }
    }
  }
  for (const table of store.tables.values()) checkSingleDependents(store, table, faults)
}

/** The keys in a member: of one entity, or of many in an array. */
function referencesIn(
  member: unknown,
  { isCollection }: NavigationProperty,
  place: string,
  faults: DataFaults,
): readonly unknown[] {
  if (Array.isArray(member) === isCollection) return isCollection ? (member as unknown[]) : [member]
  const [expected, found] = isCollection ? ['many entities', 'an array of keys'] : ['one entity', 'one key']
  faults.add(place, `it leads to ${expected}: write ${found}, not ${describeValue(member)}.`)
  return []
}

/** Links one entity over one navigation property. */
class Linker {
  constructor(
    private readonly store: MemoryStore,
    private readonly route: Route,
    private readonly place: string,
    private readonly faults: DataFaults,
  ) {}

  add(row: NewRow, reference: unknown): void {
    const { navigation, target } = this.route
    const key = keyReference(reference, target.set.entityType)
    if (typeof key === 'string') {
      this.faults.add(this.place, key)
      return
    }
    const found = target.find(target.keyText(key))
    const constraint = navigation.association.referentialConstraint
    if (found === undefined) {
      this.faults.add(this.place, `there is no ${entityName(target.set, key)}.`)
    } else if (!typeOfRow(found, target.set.entityType).isOrInherits(navigation.targetType)) {
      const { qualifiedName } = navigation.targetType
      this.faults.add(this.place, `${entityName(target.set, key)} is no ${qualifiedName}.`)
    } else if (constraint === undefined) {
      this.link(row, found)
    } else {
      // Until all links are loaded, rows are still being made.
      this.fillForeignKey(row, found, constraint)
    }
  }

  private link(row: Row, found: Row): void {
    const { navigation, source, target, sourceEnd } = this.route
    const { fromEnd, toEnd } = navigation
    const [from, to] = [source.keyText(row) ?? '', target.keyText(found) ?? '']
    const links = this.store.linksOf(this.route)
    const targetEnd = oppositeOf(sourceEnd)
    const [other] = links.linkedTo(sourceEnd, from)
    const [otherSource] = links.linkedTo(targetEnd, to)
    if (toEnd.multiplicity !== '*' && other !== undefined && other !== to) {
      this.contradiction(entityName(source.set, row), toEnd.role, [found, target.find(other)], target)
    } else if (fromEnd.multiplicity !== '*' && otherSource !== undefined && otherSource !== from) {
      this.contradiction(entityName(target.set, found), fromEnd.role, [row, source.find(otherSource)], source)
    } else {
      links.link(sourceEnd === 0 ? [from, to] : [to, from])
    }
  }

  private fillForeignKey(row: NewRow, found: NewRow, constraint: ReferentialConstraint): void {
    const { navigation, source, target } = this.route
    const toPrincipal = navigation.toEnd === constraint.principal
    const [dependent, principal] = toPrincipal ? [row, found] : [found, row]
    const values: NewRow = {}
    for (const [index, { name, type }] of constraint.dependentProperties.entries()) {
      const value = principal[constraint.principalProperties[index]?.name ?? '']
      values[name] = storedValue(type as PrimitiveTypeName, value) ?? null
    }
    const { names, types } = keyShape(constraint.dependentProperties)
    const wanted = keyText(values, names, types)
    const agreed = keyText({ ...values, ...withoutNulls(dependent, names) }, names, types)
    if (wanted !== undefined && wanted === agreed) {
      Object.assign(dependent, values)
      return
    }
    const [from, to] = toPrincipal ? [source, target] : [target, source]
    const held = names.map((name) => `${name} ${describeValue(dependent[name])}`).join(', ')
    this.faults.add(
      this.place,
      `${entityName(from.set, dependent)} has the foreign key ${held}, which is not that of ${entityName(to.set, principal)}.`,
    )
  }

  private contradiction(
    whose: string,
    role: string,
    both: readonly (Row | undefined)[],
    table: EntityTable,
  ): void {
    const names = both.map((row) => (row === undefined ? '' : entityName(table.set, row)))
    this.faults.add(this.place, `${whose} can have one ${role} but is linked to ${names.join(' and ')}.`)
  }
}

function withoutNulls(row: Row, names: readonly string[]): NewRow {
  return Object.fromEntries(names.filter((name) => row[name] !== null).map((name) => [name, row[name]]))
}

/** Where at most one entity may hold a foreign key, no two rows may have the same. */
function checkSingleDependents(store: MemoryStore, table: EntityTable, faults: DataFaults): void {
  const { entityType } = table.set
  for (const navigation of [entityType, ...entityType.derivedTypes].flatMap(
    (one) => one.navigationProperties,
  )) {
    const constraint = navigation.association.referentialConstraint
    if (navigation.isCollection || constraint === undefined || navigation.toEnd !== constraint.dependent)
      continue
    const target = store.findRoute(table, navigation)?.target
    if (target === undefined) continue
    for (const rows of target.index(constraint.dependentProperties).all()) {
      const [first, second] = rows
      if (first === undefined || second === undefined) continue
      const names = constraint.dependentProperties.map(({ name }) => name).join(', ')
      const both = `${entityName(target.set, first)} and ${entityName(target.set, second)}`
      faults.add(target.path, `${both} have the same ${names}, but '${navigation.name}' leads to one entity.`)
    }
  }
}

/**
 * The key that a row gives for a linked entity: an object with the key properties, which may hold more, or the bare
 * value when the key has one property.
 *
 * @returns the key, or a sentence about what is wrong with it
 */
function keyReference(reference: unknown, { key }: EntityType): NewRow | string {
  const [single, ...others] = key
  const isKeyObject =
    isRecord(reference) && !(reference instanceof Date) && !(reference instanceof Uint8Array)
  if (!isKeyObject && others.length > 0) {
    const names = key.map(({ name }) => name).join(', ')
    return `${describeValue(reference)} is no key. Write an object with the members ${names}.`
  }
  const given = isKeyObject ? reference : { [single?.name ?? '']: reference }
  const values: NewRow = {}
  for (const property of key) {
    const type = property.type as PrimitiveTypeName
    const value = ownMember(given, property.name)
    if (value === undefined || value === null) {
      const hint = didYouMean(property.name, Object.keys(given))
      return `the key of the linked entity has no '${property.name}'.${hint}`
    }
    const stored = storedValue(type, value)
    if (stored === undefined) {
      return `${describeValue(value)} is no ${type}, which '${property.name}' is. Write ${expectedValue[type]}.`
    }
    values[property.name] = stored
  }
  return values
}
