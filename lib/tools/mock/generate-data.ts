import type { EdmModel, EntitySet, EntityType, Property } from '../../edm/edm-model.js'
import { setInRole, isPrimitive } from '../../edm/edm-model.js'
import type { DefinitionOf, EntitySetName, InsertOf } from '../../edm/infer.js'
import type { Row } from '../../evaluation/row.js'
import type { MockRow } from './mock-set.js'
import { MockForeignKey, MockSet } from './mock-set.js'
import { KeyGenerator } from './generate-keys.js'
import type { MockLinks } from './generate-links.js'
import { generateLinks, removeUnlinkable } from './generate-links.js'
import { Random } from './random.js'
import { valueFault } from '../../edm/check-value.js'
import { valueFor } from './property-value.js'
import type { Subject } from './words.js'
import { randomSubject } from './words.js'

/** How data are generated. */
export interface GenerateDataOptions {
  /** How many rows each entity set gets, where its keys have that many values. Default: 20 */
  readonly rows?: number | undefined
  /** Another seed gives other data; the same seed and model always the same. Default: 1 */
  readonly seed?: number | string | undefined
  /**
   * Rows that there are, by the name of the entity set. They are taken over unchanged; rows of other sets refer to
   * them, and those to which they refer are made.
   */
  readonly data?: Readonly<Record<string, readonly Row[] | undefined>> | undefined
}

/** Rows of all entity sets of a model, as {@link generateData} makes them. */
export type GeneratedData<Model = EdmModel> = {
  readonly [SetName in EntitySetName<Model>]: readonly GeneratedRow<Model, SetName>[]
}

/** The values of one row; keys of linked entities, `$type` and `$media` are among them where they are needed. */
export type GeneratedRow<Model, SetName extends EntitySetName<Model>> =
  unknown extends DefinitionOf<Model> ? Row : InsertOf<Model, SetName>

const DEFAULT_ROWS = 20
const optionNames: readonly string[] = ['rows', 'seed', 'data'] satisfies (keyof GenerateDataOptions)[]

/**
 * Makes rows for every entity set of a model, to try a service out before there are data.
 *
 * Keys are unique, foreign keys and links lead to rows that there are, values keep to the facets of their properties.
 * Names, labels and `sap:semantics` of properties decide what texts and numbers are about: names, cities, e-mail
 * addresses, currencies, dates, prices. A set whose rows would need rows that cannot be made stays empty.
 *
 * @param model from `defineModel` or `readEdmx`
 * @param options how many rows, the seed, and rows that there are
 * @returns rows by entity set, as `memoryProvider` takes them
 * @throws TypeError for options that do not exist or mean nothing
 * @example
 * const model = readEdmx(await readFile('model.edmx', 'utf8'))
 * app.use('/mock', odataV2(model, memoryProvider(model, generateData(model, { rows: 100, seed: 7 }))))
 * @spec MC-CSDL 2.1.9 (multiplicity), MC-CSDL 2.1.11 (referential constraints), MC-CSDL 2.2.1 (facets)
 */
export function generateData<Definition>(
  model: EdmModel<Definition>,
  options: GenerateDataOptions = {},
): GeneratedData<EdmModel<Definition>> {
  checkOptions(options)
  const { rows = DEFAULT_ROWS, seed = 1, data = {} } = options
  const made = new Map(
    model.entityContainers.flatMap(({ entitySets }) =>
      entitySets.map((set) => [set, createMockSet(set, data[set.path])] as const),
    ),
  )
  const sets = [...made.values()]
  const { foreignKeys, links } = relationsOf(model, made)
  const keys = new KeyGenerator(foreignKeys, rows, String(seed))
  for (const set of sets) keys.make(set)
  fillForeignKeys(foreignKeys, String(seed))
  // What is taken away may leave others without what they need.
  let removed = true
  while (removed) removed = [removeDangling(foreignKeys), removeUnlinkable(links)].includes(true)
  fillValues(sets, String(seed))
  for (const [index, one] of links.entries())
    generateLinks(one, new Random(`${String(seed)}/links/${String(index)}`))
  const result = sets.map(({ set, rows: all }) => [
    set.path,
    data[set.path] ?? all.map((row) => rowOf(row, set)),
  ])
  // The rows are those of the model: they were made of its properties.
  return Object.fromEntries(result) as GeneratedData<EdmModel<Definition>>
}

function checkOptions(options: GenerateDataOptions): void {
  for (const name of Object.keys(options)) {
    if (optionNames.includes(name)) continue
    throw new TypeError(`generateData: there is no option '${name}'. There are ${optionNames.join(', ')}.`)
  }
  const { rows = DEFAULT_ROWS } = options
  if (!Number.isInteger(rows) || rows < 0) {
    throw new TypeError(`generateData: rows must be a whole number of rows, not ${String(rows)}.`)
  }
}

function createMockSet(set: EntitySet, given: readonly Row[] | undefined): MockSet {
  const made = new MockSet(set, given !== undefined)
  const { entityType } = set
  for (const values of given ?? []) {
    // What is no row is for whoever takes the data to name.
    if (typeof (values as unknown) !== 'object' || (values as unknown) === null) continue
    const type =
      entityType.derivedTypes.find(({ qualifiedName }) => qualifiedName === values.$type) ?? entityType
    made.add({ type, values, isGiven: true })
  }
  return made
}

function relationsOf(
  model: EdmModel,
  made: ReadonlyMap<EntitySet, MockSet>,
): { readonly foreignKeys: readonly MockForeignKey[]; readonly links: readonly MockLinks[] } {
  const foreignKeys: MockForeignKey[] = []
  const links: MockLinks[] = []
  for (const associationSet of model.entityContainers.flatMap((one) => one.associationSets)) {
    const { association } = associationSet
    const setAt = (role: string): MockSet | undefined => {
      const set = setInRole(associationSet, role)
      return set === undefined ? undefined : made.get(set)
    }
    const constraint = association.referentialConstraint
    const roles = constraint === undefined ? association.ends : [constraint.principal, constraint.dependent]
    const [first, second] = roles.map(({ role }) => setAt(role))
    if (first === undefined || second === undefined) continue
    if (constraint === undefined) links.push({ ends: association.ends, sets: [first, second] })
    else foreignKeys.push(new MockForeignKey(constraint, first, second))
  }
  return { foreignKeys, links }
}

function rowOf({ type, values }: MockRow, { entityType, name }: EntitySet): Row {
  const key = entityType.key.map((part) => String(values[part.name])).join(', ')
  const media = type.hasStream
    ? { $media: { contentType: 'text/plain', bytes: new TextEncoder().encode(`${name} ${key}\n`) } }
    : {}
  return { ...(type === entityType ? {} : { $type: type.qualifiedName }), ...values, ...media }
}

/** How many of those that may refer to nothing do. */
const NULL_PROBABILITY = 0.1

/** Lets all rows refer to others that there are. */
function fillForeignKeys(foreignKeys: readonly MockForeignKey[], seed: string): void {
  // Those with most properties leave the least choice, and the others agree with them.
  const others = foreignKeys.filter(({ isInKey }) => !isInKey)
  for (const foreignKey of others.sort((a, b) => b.names.length - a.names.length)) {
    const { dependent, names } = foreignKey
    if (dependent.isGiven) continue
    const random = new Random(`${seed}/${dependent.set.path}/${names.join()}`)
    for (const [index, row] of dependent.rows.entries()) {
      if (foreignKey.appliesTo(row)) fill(foreignKey, row, index, random)
    }
  }
}

function fill(foreignKey: MockForeignKey, row: MockRow, index: number, random: Random): void {
  const { values } = row
  const { constraint, names, isMandatory } = foreignKey
  if (names.every((name) => Object.hasOwn(values, name))) return
  const principal =
    isMandatory || !random.chance(NULL_PROBABILITY) ? principalFor(foreignKey, row, index, random) : undefined
  if (principal !== undefined) {
    Object.assign(values, foreignKey.valuesOf(principal))
    foreignKey.take(principal)
    return
  }
  for (const { name, nullable } of constraint.dependentProperties) {
    if (nullable && !Object.hasOwn(values, name)) values[name] = null
  }
}

/** What refers to its like refers to one before it: trees have no circles. The first can only refer to itself. */
function principalFor(
  foreignKey: MockForeignKey,
  row: MockRow,
  index: number,
  random: Random,
): MockRow | undefined {
  const candidates = foreignKey.candidates(row.values)
  const { principal, dependent, isMandatory } = foreignKey
  if (principal !== dependent) return random.anyOf(candidates)
  const before = new Set(dependent.rows.slice(0, index))
  return (
    random.anyOf(candidates.filter((one) => before.has(one))) ?? (isMandatory ? candidates[0] : undefined)
  )
}

/**
 * Takes away what refers to nothing and must not.
 *
 * @returns whether there was any
 */
function removeDangling(foreignKeys: readonly MockForeignKey[]): boolean {
  let removed = false
  for (const foreignKey of foreignKeys) {
    const { principal, dependent, constraint, isMandatory } = foreignKey
    if (dependent.isGiven) continue
    const known = new Set(principal.ofType(constraint.principal.type).map((row) => foreignKey.textOf(row)))
    const dangles = (row: MockRow): boolean => {
      if (!foreignKey.appliesTo(row)) return false
      const text = foreignKey.textIn(row.values)
      if (text === undefined) return isMandatory
      if (known.has(text)) return false
      const free = constraint.dependentProperties.filter(({ nullable, isKey }) => nullable && !isKey)
      if (isMandatory || free.length === 0) return true
      for (const { name } of free) row.values[name] = null
      return false
    }
    if (dependent.remove(dangles)) removed = true
  }
  return removed
}

/** Gives every row the values that no foreign key has given it. */
function fillValues(sets: readonly MockSet[], seed: string): void {
  const lookups = lookupsIn(sets)
  for (const made of sets) {
    if (made.isGiven) continue
    for (const row of made.rows) {
      const random = new Random(`${seed}/${made.set.path}/${made.keyOf(row.values) ?? ''}`)
      const subject = randomSubject(random)
      for (const property of row.type.properties) {
        if (Object.hasOwn(row.values, property.name)) continue
        row.values[property.name] = plainValue(property, row.type, subject, random, lookups)
      }
    }
  }
}

function plainValue(
  property: Property,
  type: EntityType,
  subject: Subject,
  random: Random,
  lookups: ReadonlyMap<string, MockSet>,
): unknown {
  const own = valueFor(property, type, subject, random)
  const found = random.anyOf(lookups.get(lookupName(property))?.rows ?? [])
  const value = found?.values[property.name]
  const fits = value !== undefined && value !== null && valueFault(property, value) === undefined
  return fits ? value : own
}

/** Names that stand for something else in every type. */
const general = /^(?:id|key|code|name|number|no|type|guid|uuid)$/i

/** Sets of which a property holds a key, though the model does not say so: `Currency` of a set of currencies. */
function lookupsIn(sets: readonly MockSet[]): ReadonlyMap<string, MockSet> {
  const lookups = new Map<string, MockSet>()
  for (const made of sets) {
    const [property, second] = made.set.entityType.key
    if (property === undefined || second !== undefined || general.test(property.name)) continue
    if (!lookups.has(lookupName(property))) lookups.set(lookupName(property), made)
  }
  return lookups
}

function lookupName({ name, type }: Property): string {
  return isPrimitive(type) ? `${type} ${name}` : ''
}
