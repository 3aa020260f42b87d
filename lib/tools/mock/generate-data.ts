import { groupIdOf, roleOf } from '../../edm/analytical-set.js'
import { withInferredConstraints } from '../../csdl/inferred-constraints.js'
import { noAnnotations } from '../../edm/annotations.js'
import { valueViolation } from '../../edm/check-value.js'
import type { EdmModel, EntitySet, EntityType, FunctionImport, Property } from '../../edm/edm-model.js'
import { entitySetsOf, isPrimitive } from '../../edm/edm-model.js'
import type { DefinitionOf, EntitySetName, InsertOf } from '../../edm/infer.js'
import { areComparable } from '../../edm/convert-key.js'
import { foreignKeysOf, linkedSetsOf } from '../../edm/relations.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import { KeyGenerator } from './generate-keys.js'
import { generateLinks, linkByForeignKey, removeUnlinkable } from './generate-links.js'
import { GroupedValues, MAX_MEMBERS } from './grouped-values.js'
import { orderDates } from './order-dates.js'
import type { MockRow } from './mock-set.js'
import { MockForeignKey, MockSet } from './mock-set.js'
import { valueFor } from './property-value.js'
import { Random } from './random.js'
import type { Subject } from './words.js'
import { randomSubject } from './words.js'
import { required } from '../../util/required.js'

/**
 * Options of {@link generateData}.
 *
 * @example
 * const options: GenerateDataOptions = {
 *   rows: 100,
 *   seed: 7,
 *   data: { Categories: [{ ID: 1, Name: 'Cheese' }] },
 * }
 * const data = generateData(model, options)
 */
export interface GenerateDataOptions {
  /** Rows for each entity set, if its key has that many values. Default: 20. */
  readonly rows?: number | undefined
  /** The seed of the random numbers. Equal seeds and models always give the same data. Default: 1. */
  readonly seed?: number | string | undefined
  /**
   * Existing rows by the name of the entity set. They are returned unchanged; generated rows refer to them, and rows
   * that they refer to are generated. Default: none.
   */
  readonly data?: Readonly<Record<string, readonly Row[] | undefined>> | undefined
}

/**
 * Rows of all entity sets of a model, as {@link generateData} returns them.
 *
 * @example const data: GeneratedData<typeof model> = generateData(model, { rows: 100 })
 */
export type GeneratedData<Model = EdmModel> = {
  readonly [SetName in EntitySetName<Model>]: readonly GeneratedRow<Model, SetName>[]
}

/**
 * The values of one row, with keys of linked entities, `$type` and `$media` if needed.
 *
 * @example const rows: readonly GeneratedRow<typeof model, 'Products'>[] = generateData(model).Products ?? []
 */
export type GeneratedRow<Model, SetName extends EntitySetName<Model>> =
  unknown extends DefinitionOf<Model> ? Row : InsertOf<Model, SetName>

const DEFAULT_ROWS = 20
const ROWS_PER_REPORT = 500
const optionNames: readonly string[] = ['rows', 'seed', 'data'] satisfies (keyof GenerateDataOptions)[]

/**
 * Generates sample rows for every entity set of a model.
 *
 * Keys are unique, foreign keys and links refer to existing rows, and values respect the facets of their properties.
 * Names, labels and `sap:semantics` of properties choose the kind of value: names, cities, e-mail addresses,
 * currencies, dates, prices. A set stays empty if the rows that it must refer to cannot be generated.
 *
 * @param model from `defineModel` or `readEdmx`
 * @param options the number of rows, the seed, and existing rows
 * @returns rows by entity set, for `memoryProvider`
 * @throws TypeError for unknown or invalid options
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
  return generateRows(model, options) as GeneratedData<EdmModel<Definition>>
}

/**
 * Generates the rows of {@link generateData}.
 *
 * @param onProgress called with the finished part of the work, between 0 and 1
 */
export function generateRows(
  model: EdmModel,
  options: GenerateDataOptions,
  onProgress: (done: number) => void = () => undefined,
): Readonly<Record<string, readonly Row[]>> {
  const { rows = DEFAULT_ROWS, seed = 1, data = {} } = options
  const inferred = withInferredConstraints(model)
  const made = new Map(entitySetsOf(inferred).map((set) => [set, createMockSet(set, data[set.path])]))
  const sets = [...made.values()]
  const foreignKeys = foreignKeysOf(inferred)
    // Services refuse the others, with a message that names the types.
    .filter(({ constraint: { dependentProperties, principalProperties } }) =>
      dependentProperties.every((own, index) => areComparable(own, principalProperties[index] ?? own)),
    )
    .map(
      ({ constraint, principal, dependent }) =>
        new MockForeignKey(constraint, required(made.get(principal)), required(made.get(dependent))),
    )
  const links = linkedSetsOf(inferred).map(({ association: { ends }, sets: [first, second] }) => ({
    ends,
    sets: [required(made.get(first)), required(made.get(second))] as const,
  }))
  const keys = new KeyGenerator(foreignKeys, rows, String(seed))
  for (const set of sets) keys.make(set)
  fillForeignKeys(foreignKeys, String(seed))
  // Removing a row can leave others without the row that they refer to.
  let removed = true
  while (removed) removed = [removeDangling(foreignKeys), removeUnlinkable(links)].includes(true)
  fillValues(sets, String(seed), onProgress)
  for (const [index, one] of links.entries())
    generateLinks(one, new Random(`${String(seed)}/links/${String(index)}`))
  // Without the constraint, the model of the caller needs links with the values of the foreign key.
  if (inferred !== model) for (const foreignKey of foreignKeys) linkByForeignKey(foreignKey)
  const result = sets.map(({ set, rows: all }) => [
    set.path,
    data[set.path] ?? all.map((row) => rowOf(row, set)),
  ])
  // The rows were generated from the properties of the model.
  return Object.fromEntries(result) as Readonly<Record<string, readonly Row[]>>
}

function checkOptions(options: GenerateDataOptions): void {
  for (const name of Object.keys(options)) {
    if (optionNames.includes(name)) continue
    throw new TypeError(
      `generateData: there is no option '${name}'. Known options: ${optionNames.join(', ')}.`,
    )
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
    // The provider reports values that are not rows.
    if (typeof (values as unknown) !== 'object' || (values as unknown) === null) continue
    const type =
      entityType.derivedTypes.find(({ qualifiedName }) => qualifiedName === values.$type) ?? entityType
    made.add({ type, values, isGiven: true })
  }
  return made
}

function rowOf({ type, values }: MockRow, { entityType, name }: EntitySet): Row {
  const key = entityType.key.map((part) => String(values[part.name])).join(', ')
  const media = type.hasStream
    ? { $media: { contentType: 'text/plain', bytes: new TextEncoder().encode(`${name} ${key}\n`) } }
    : {}
  return { ...(type === entityType ? {} : { $type: type.qualifiedName }), ...values, ...media }
}

/** The share of optional foreign keys that are null. */
const NULL_PROBABILITY = 0.1

/** Sets the foreign keys of all rows. */
function fillForeignKeys(foreignKeys: readonly MockForeignKey[], seed: string): void {
  // The foreign keys with most properties are the most constrained, so they come first.
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
  const { constraint, names, isRequired } = foreignKey
  if (names.every((name) => Object.hasOwn(values, name))) return
  const principal =
    isRequired || !random.chance(NULL_PROBABILITY) ? principalFor(foreignKey, row, index, random) : undefined
  if (principal !== undefined) {
    Object.assign(values, foreignKey.valuesOf(principal))
    foreignKey.take(principal)
    return
  }
  for (const { name, nullable } of constraint.dependentProperties) {
    if (nullable && !Object.hasOwn(values, name)) values[name] = null
  }
}

/** Chooses a principal. Within one set it is an earlier row, so that there are no cycles. */
function principalFor(
  foreignKey: MockForeignKey,
  row: MockRow,
  index: number,
  random: Random,
): MockRow | undefined {
  const { principal, dependent, isMandatory } = foreignKey
  const all = foreignKey.candidates(row.values)
  const candidates = groupIdOf(dependent.set) === undefined ? all : all.slice(0, MAX_MEMBERS)
  if (principal !== dependent) return random.anyOf(candidates)
  const before = new Set(dependent.rows.slice(0, index))
  return (
    random.anyOf(candidates.filter((one) => before.has(one))) ?? (isMandatory ? candidates[0] : undefined)
  )
}

/**
 * Removes rows whose mandatory foreign key has no principal.
 *
 * @returns true if any row was removed
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

/** Generates the values of all remaining properties. */
function fillValues(sets: readonly MockSet[], seed: string, onProgress: (done: number) => void): void {
  const lookups = lookupsIn(sets)
  const total = sets.reduce((sum, { isGiven, rows }) => sum + (isGiven ? 0 : rows.length), 0)
  let count = 0
  for (const made of sets) {
    if (made.isGiven) continue
    const groups = groupIdOf(made.set) === undefined ? undefined : new GroupedValues(made.set, seed)
    for (const row of made.rows) {
      if (count++ % ROWS_PER_REPORT === 0) onProgress(count / total)
      const random = new Random(`${seed}/${made.set.path}/${made.keyOf(row.values) ?? ''}`)
      const subject = randomSubject(random)
      const members = groups?.pickMembers(row.values, random)
      for (const property of row.type.properties) {
        if (property.computed !== undefined || Object.hasOwn(row.values, property.name)) continue
        const [of, from] = members?.sourceOf(property) ?? [subject, random]
        const isMeasure = groups !== undefined && roleOf(property) === 'measure'
        const generated = isMeasure ? { ...property, nullable: false } : property
        row.values[property.name] = plainValue(generated, row.type, of, from, lookups)
      }
      if (groups === undefined) orderDates(row.values, row.type)
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
  const fits = value !== undefined && value !== null && valueViolation(property, value) === undefined
  return fits ? value : own
}

/** Key names that are too general to identify an entity set. */
const general = /^(?:id|key|code|name|number|no|type|guid|uuid)$/i

/** Finds entity sets by the name of their key, for foreign keys that the model does not declare: `Currency`. */
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

/** The maximum length of a generated collection. */
const MAX_VALUES = 5
const plainProperty = {
  kind: 'Property',
  nullable: false,
  isKey: false,
  feedMappings: [],
  annotations: noAnnotations,
} as const

/**
 * Generates a result of a function import: existing entities, else values of its return type. Equal calls return equal
 * results.
 *
 * @param rows of the entity set of the function
 * @returns null without an entity, undefined for a function without result
 */
export function generatedResult(
  functionImport: FunctionImport,
  parameters: Row,
  rows: readonly Row[],
): unknown {
  const { returnType, path } = functionImport
  if (returnType === undefined) return undefined
  const { type, isCollection } = returnType
  if (!isPrimitive(type) && type.kind === 'EntityType') {
    const { names, types } = keyShape(type.key)
    const text = keyText(parameters, names, types)
    const wanted = rows.find((row) => text !== undefined && keyText(row, names, types) === text)
    if (isCollection) return wanted === undefined ? rows.slice(0, MAX_VALUES) : [wanted]
    return wanted ?? rows[0] ?? null
  }
  const said = Object.entries(parameters).map(([name, value]) => `${name}=${String(value)}`)
  const random = new Random(`${path}?${said.join('&')}`)
  const property = { ...plainProperty, name: functionImport.name, type }
  const value = (): unknown => valueFor(property, functionImport, randomSubject(random), random)
  return isCollection ? Array.from({ length: MAX_VALUES }, value) : value()
}
