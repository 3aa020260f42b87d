import { groupIdOf } from '../../edm/analytical-set.js'
import type {
  EdmModel,
  EntityType,
  NavigationProperty,
  Property,
  ReferentialConstraint,
} from '../../edm/edm-model.js'
import { entitySetsOf } from '../../edm/edm-model.js'
import { convertKey } from '../../edm/convert-key.js'
import { entityName } from '../../edm/relations.js'
import { didYouMean } from '../../errors/suggestions.js'
import { computeOnce } from '../../util/get-or-create.js'
import { isRecord } from '../../util/is-record.js'
import { describeValue } from '../../util/describe-value.js'
import type { EntityTable } from './entity-table.js'
import { StoredMedia } from './entity-table.js'
import type { MemoryStore, Route } from './memory-store.js'
import type { GivenObject, NewRow } from './row-shape.js'
import { DataErrors, ownMember, toRow, describeInvalid, storedValue } from './row-shape.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import { oppositeOf } from './relation.js'
import { required } from '../../util/required.js'

/**
 * Copies rows into the store.
 *
 * @param data rows by entity set
 * @throws TypeError with all errors in the data
 */
export function loadData(store: MemoryStore, data: unknown): void {
  const errors = new DataErrors()
  if (!isRecord(data)) {
    throw new TypeError(
      `The data of the memory provider must be an object of the form { EntitySet: [row, …] }, not ${describeValue(data)}.`,
    )
  }
  const linked: LinkedRow[] = []
  for (const [path, rows] of Object.entries(data)) {
    const table = store.findTable(path)
    if (table === undefined) {
      errors.add(path, `The entity set does not exist.${didYouMean(path, store.paths)}`)
    } else if (Array.isArray(rows)) {
      new RowLoader(table, errors, linked).load(rows)
    } else if (rows !== undefined) {
      errors.add(path, `Expected an array of rows, not ${describeValue(rows)}.`)
    }
  }
  loadLinks(store, linked, errors)
  errors.check()
}

/** Copies the rows of one entity set into its table. */
class RowLoader {
  private readonly types: ReadonlyMap<string, EntityType>
  private readonly groupId: Property | undefined
  /** The index of the first row with each key. */
  private readonly indexes = new Map<string, number>()

  /** @param linked receives the rows that have links to entities */
  constructor(
    private readonly table: EntityTable,
    private readonly errors: DataErrors,
    private readonly linked: LinkedRow[],
  ) {
    const { entityType } = table.set
    this.groupId = groupIdOf(table.set)
    this.types = new Map([entityType, ...entityType.derivedTypes].map((type) => [type.qualifiedName, type]))
  }

  load(rows: readonly unknown[]): void {
    for (const [index, given] of rows.entries()) {
      const path = `${this.table.path}[${index}]`
      if (isRecord(given)) this.loadRow(given, path, index)
      else this.errors.add(path, `Expected a row object, not ${describeValue(given)}.`)
    }
  }

  private loadRow(given: GivenObject, path: string, index: number): void {
    const { table, errors } = this
    const type = this.typeOf(given, path)
    if (type === undefined) return
    const row = toRow(given, type, table.set, path, errors)
    this.setRowId(row, index)
    const key = this.checkedKey(row, given, path)
    if (key === undefined) return
    const first = this.indexes.get(key)
    if (first !== undefined) {
      errors.add(path, `${entityName(table.set, row)} already exists: row ${first} has the same key.`)
      return
    }
    this.indexes.set(key, index)
    table.put(key, row)
    this.loadMedia(given, type, key, `${path}.$media`)
    if (type.navigationProperties.some(({ name }) => (ownMember(given, name) ?? null) !== null)) {
      this.linked.push({ table, type, given, row, path })
    }
  }

  /** Sets a missing id of a row of an analytical set to its index. Clients do not see it: they receive ids of groups. */
  private setRowId(row: NewRow, index: number): void {
    const { groupId } = this
    if (groupId !== undefined && row[groupId.name] === null) row[groupId.name] = String(index)
  }

  private typeOf(given: GivenObject, path: string): EntityType | undefined {
    const name = ownMember(given, '$type') ?? this.table.set.entityType.qualifiedName
    const type = typeof name === 'string' ? this.types.get(name) : undefined
    if (type !== undefined && !type.abstract) return type
    const accepted = [...this.types.values()].filter(({ abstract }) => !abstract)
    const names = accepted.map(({ qualifiedName }) => `'${qualifiedName}'`).join(' or ')
    const reason = type === undefined ? 'not a type of this entity set' : 'an abstract type'
    this.errors.add(`${path}.$type`, `${describeValue(name)} is ${reason}. Expected ${names}.`)
    return undefined
  }

  private checkedKey(row: NewRow, given: GivenObject, path: string): string | undefined {
    let isComplete = true
    for (const { name } of this.table.set.entityType.key) {
      if (row[name] !== null && !Number.isNaN(row[name])) continue
      isComplete = false
      const value = ownMember(given, name) ?? null
      // Values of the wrong type have been reported.
      if (value !== null && !Number.isNaN(value)) continue
      const hint = value === null ? didYouMean(name, Object.keys(given)) : ''
      this.errors.add(`${path}.${name}`, `The key property must have a value.${hint}`)
    }
    return isComplete ? this.table.keyText(row) : undefined
  }

  private loadMedia(given: GivenObject, type: EntityType, key: string, path: string): void {
    const media = ownMember(given, '$media') ?? undefined
    if (media === undefined) return
    if (!type.hasStream) {
      this.errors.add(path, `'${type.qualifiedName}' is not a media link entry. Set hasStream in the model.`)
      return
    }
    const { contentType, bytes, fileName } = isRecord(media) ? media : {}
    if (typeof contentType !== 'string' || contentType === '' || !(bytes instanceof Uint8Array)) {
      this.errors.add(path, 'Expected { contentType: string, bytes: Uint8Array }.')
      return
    }
    const name = typeof fileName === 'string' ? fileName : undefined
    this.table.media.set(key, new StoredMedia(contentType, new Uint8Array(bytes), new Date(), name))
  }
}

/** A row in its table that has keys of linked entities in the given object. */
interface LinkedRow {
  readonly table: EntityTable
  readonly type: EntityType
  readonly given: GivenObject
  readonly row: NewRow
  /** `Products[3]` */
  readonly path: string
}

/** Links entities by the keys in their navigation properties: sets foreign keys, or adds links for other associations. */
function loadLinks(store: MemoryStore, rows: readonly LinkedRow[], errors: DataErrors): void {
  for (const { table, type, given, row, path } of rows) {
    for (const navigation of type.navigationProperties) {
      const member = ownMember(given, navigation.name) ?? undefined
      if (member === undefined) continue
      const memberPath = `${path}.${navigation.name}`
      const route = store.findRoute(table, navigation)
      if (route === undefined) {
        errors.add(memberPath, 'The navigation property has no target. Add an association set to the model.')
      } else if (Array.isArray(member) !== navigation.isCollection) {
        const expected = navigation.isCollection ? 'an array of keys' : 'one key'
        errors.add(memberPath, `Expected ${expected}, not ${describeValue(member)}.`)
      } else {
        for (const reference of Array.isArray(member) ? (member as unknown[]) : [member]) {
          const error = addReference(store, route, row, reference)
          if (error !== undefined) errors.add(memberPath, error)
        }
      }
    }
  }
  for (const one of singleDependents(store.model)) checkSingleDependents(store, one, errors)
}

/**
 * Links a row to the entity with a key.
 *
 * @returns an error message, or undefined
 */
function addReference(store: MemoryStore, route: Route, row: NewRow, reference: unknown): string | undefined {
  const { navigation, target } = route
  const key = parseKey(reference, target.set.entityType)
  if (typeof key === 'string') return key
  const found = target.find(target.keyText(key))
  if (found === undefined) return `${entityName(target.set, key)} does not exist.`
  const { targetType, association } = navigation
  if (!typeOfRow(found, target.set.entityType).isOrInherits(targetType)) {
    return `${entityName(target.set, key)} is not a ${targetType.qualifiedName}.`
  }
  const constraint = association.referentialConstraint
  // Rows are mutable until all links are loaded.
  return constraint === undefined
    ? addLink(store, route, row, found)
    : setForeignKey(route, row, found, constraint)
}

function addLink(store: MemoryStore, route: Route, row: Row, found: Row): string | undefined {
  const { source, target, sourceEnd } = route
  const links = store.linksOf(route)
  const [from, to] = [required(source.keyText(row)), required(target.keyText(found))]
  const bothDirections = [
    [sourceEnd, from, to],
    [oppositeOf(sourceEnd), to, from],
  ] as const
  for (const [end, key, partner] of bothDirections) {
    const otherEnd = oppositeOf(end)
    const { multiplicity, role } = links.association.ends[otherEnd]
    const [existing] = links.linkedTo(end, key)
    if (multiplicity === '*' || existing === undefined || existing === partner) continue
    const [owner, first, second] = [
      nameOf(links.tables[end], key),
      nameOf(links.tables[otherEnd], partner),
      nameOf(links.tables[otherEnd], existing),
    ]
    return `${owner} can have only one ${role} but is linked to ${first} and ${second}.`
  }
  links.link(sourceEnd, from, to)
  return undefined
}

function nameOf(table: EntityTable, key: string): string {
  return entityName(table.set, table.find(key) ?? {})
}

function setForeignKey(
  { navigation, source, target }: Route,
  row: NewRow,
  found: NewRow,
  constraint: ReferentialConstraint,
): string | undefined {
  const toPrincipal = navigation.toEnd === constraint.principal
  const [dependent, principal] = toPrincipal ? [row, found] : [found, row]
  const values: NewRow = {}
  for (const [index, own] of constraint.dependentProperties.entries()) {
    const key = required(constraint.principalProperties[index])
    values[own.name] =
      storedValue(own.type as PrimitiveTypeName, convertKey(principal[key.name], key, own)) ?? null
  }
  const { names, types } = keyShape(constraint.dependentProperties)
  const given = Object.entries(dependent).filter(([name, value]) => names.includes(name) && value !== null)
  const wanted = keyText(values, names, types)
  if (wanted !== undefined && wanted === keyText({ ...values, ...Object.fromEntries(given) }, names, types)) {
    Object.assign(dependent, values)
    return undefined
  }
  if (constraint.isInferred) return undefined
  const [from, to] = toPrincipal ? [source, target] : [target, source]
  const current = names.map((name) => `${name} ${describeValue(dependent[name])}`).join(', ')
  return `${entityName(from.set, dependent)} has the foreign key ${current}, which does not refer to ${entityName(to.set, principal)}.`
}

/** A navigation property from an entity set to at most one dependent, whose foreign keys are declared. */
interface SingleDependent {
  readonly path: string
  readonly navigation: NavigationProperty
  readonly foreignKey: readonly Property[]
}

/** The navigation properties of a model to at most one dependent. */
const singleDependents = computeOnce((model: EdmModel): readonly SingleDependent[] =>
  entitySetsOf(model).flatMap(({ path, entityType }) => {
    const types = [entityType, ...entityType.derivedTypes]
    const navigations = types.flatMap((type) => type.navigationProperties)
    return navigations.flatMap((navigation) => {
      const constraint = navigation.association.referentialConstraint
      if (navigation.isCollection || navigation.toEnd !== constraint?.dependent || constraint.isInferred)
        return []
      return [{ path, navigation, foreignKey: constraint.dependentProperties }]
    })
  }),
)

/** Checks that no two rows have the same foreign key if a principal can have only one dependent. */
function checkSingleDependents(
  store: MemoryStore,
  { path, navigation, foreignKey }: SingleDependent,
  errors: DataErrors,
): void {
  const target = store.findRoute(store.table(path), navigation)?.target
  if (target === undefined || target.size < 2) return
  const names = foreignKey.map(({ name }) => name).join(', ')
  for (const [first, second] of target.index(foreignKey).groups()) {
    if (first === undefined || second === undefined) continue
    const both = `${entityName(target.set, first)} and ${entityName(target.set, second)}`
    errors.add(target.path, `${both} have the same ${names}, but '${navigation.name}' is a single entity.`)
  }
}

/**
 * Parses the key of a linked entity: an object with the key properties, or the value of the only key property.
 *
 * @returns the key, or an error message
 */
function parseKey(reference: unknown, { key }: EntityType): NewRow | string {
  const [single, ...others] = key
  const isObject = isRecord(reference) && !(reference instanceof Date) && !(reference instanceof Uint8Array)
  if (!isObject && others.length > 0) {
    const names = key.map(({ name }) => name).join(', ')
    return `${describeValue(reference)} is not a key. Expected an object with ${names}.`
  }
  const given = isObject ? reference : { [single?.name ?? '']: reference }
  const values: NewRow = {}
  for (const { name, type } of key) {
    const value = ownMember(given, name) ?? undefined
    if (value === undefined) {
      return `The key of the linked entity has no '${name}'.${didYouMean(name, Object.keys(given))}`
    }
    const stored = storedValue(type as PrimitiveTypeName, value)
    if (stored === undefined) return describeInvalid(type as PrimitiveTypeName, value)
    values[name] = stored
  }
  return values
}
