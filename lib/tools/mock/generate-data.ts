import type { EdmModel, EntitySet } from '../../edm/edm-model.js'
import { setInRole } from '../../edm/edm-model.js'
import type { DefinitionOf, EntitySetName, InsertOf } from '../../edm/infer.js'
import type { Row } from '../../evaluation/row.js'
import { fillForeignKeys, fillValues, removeDangling } from './fill-rows.js'
import type { MadeRow } from './made-set.js'
import { MadeForeignKey, MadeSet } from './made-set.js'
import { KeyMaker } from './make-keys.js'
import type { MadeLinks } from './make-links.js'
import { makeLinks, removeUnlinkable } from './make-links.js'
import { Random } from './random.js'

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

const defaultRows = 20
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
  const { rows = defaultRows, seed = 1, data = {} } = options
  const made = new Map(
    model.entityContainers.flatMap(({ entitySets }) =>
      entitySets.map((set) => [set, madeSet(set, data[set.path])] as const),
    ),
  )
  const sets = [...made.values()]
  const { foreignKeys, links } = relationsOf(model, made)
  const keys = new KeyMaker(foreignKeys, rows, String(seed))
  for (const set of sets) keys.make(set)
  fillForeignKeys(foreignKeys, String(seed))
  // What is taken away may leave others without what they need.
  let removed = true
  while (removed) removed = [removeDangling(foreignKeys), removeUnlinkable(links)].includes(true)
  fillValues(sets, String(seed))
  for (const [index, one] of links.entries())
    makeLinks(one, new Random(`${String(seed)}/links/${String(index)}`))
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
  const { rows = defaultRows } = options
  if (!Number.isInteger(rows) || rows < 0) {
    throw new TypeError(`generateData: rows must be a whole number of rows, not ${String(rows)}.`)
  }
}

function madeSet(set: EntitySet, given: readonly Row[] | undefined): MadeSet {
  const made = new MadeSet(set, given !== undefined)
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
  made: ReadonlyMap<EntitySet, MadeSet>,
): { readonly foreignKeys: readonly MadeForeignKey[]; readonly links: readonly MadeLinks[] } {
  const foreignKeys: MadeForeignKey[] = []
  const links: MadeLinks[] = []
  for (const associationSet of model.entityContainers.flatMap((one) => one.associationSets)) {
    const { association } = associationSet
    const setAt = (role: string): MadeSet | undefined => {
      const set = setInRole(associationSet, role)
      return set === undefined ? undefined : made.get(set)
    }
    const constraint = association.referentialConstraint
    const roles = constraint === undefined ? association.ends : [constraint.principal, constraint.dependent]
    const [first, second] = roles.map(({ role }) => setAt(role))
    if (first === undefined || second === undefined) continue
    if (constraint === undefined) links.push({ ends: association.ends, sets: [first, second] })
    else foreignKeys.push(new MadeForeignKey(constraint, first, second))
  }
  return { foreignKeys, links }
}

function rowOf({ type, values }: MadeRow, { entityType, name }: EntitySet): Row {
  const key = entityType.key.map((part) => String(values[part.name])).join(', ')
  const media = type.hasStream
    ? { $media: { contentType: 'text/plain', bytes: new TextEncoder().encode(`${name} ${key}\n`) } }
    : {}
  return { ...(type === entityType ? {} : { $type: type.qualifiedName }), ...values, ...media }
}
