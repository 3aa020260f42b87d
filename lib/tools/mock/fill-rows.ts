import type { EntityType, Property } from '../../edm/edm-model.js'
import { valueFault } from '../../edm/check-value.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { MadeForeignKey, MadeRow, MadeSet } from './made-set.js'
import { valueFor } from './property-value.js'
import { Random } from './random.js'
import type { Subject } from './subject.js'
import { anySubject } from './subject.js'

/** How many of those that may refer to nothing do. */
const without = 0.1

/** Lets all rows refer to others that there are. */
export function fillForeignKeys(foreignKeys: readonly MadeForeignKey[], seed: string): void {
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

function fill(foreignKey: MadeForeignKey, row: MadeRow, index: number, random: Random): void {
  const { values } = row
  const { constraint, names, isMandatory } = foreignKey
  if (names.every((name) => Object.hasOwn(values, name))) return
  const principal =
    isMandatory || !random.chance(without) ? principalFor(foreignKey, row, index, random) : undefined
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
  foreignKey: MadeForeignKey,
  row: MadeRow,
  index: number,
  random: Random,
): MadeRow | undefined {
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
export function removeDangling(foreignKeys: readonly MadeForeignKey[]): boolean {
  let removed = false
  for (const foreignKey of foreignKeys) {
    const { principal, dependent, constraint, isMandatory } = foreignKey
    if (dependent.isGiven) continue
    const known = new Set(principal.ofType(constraint.principal.type).map((row) => foreignKey.textOf(row)))
    const dangles = (row: MadeRow): boolean => {
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
export function fillValues(sets: readonly MadeSet[], seed: string): void {
  const lookups = lookupsIn(sets)
  for (const made of sets) {
    if (made.isGiven) continue
    for (const row of made.rows) {
      const random = new Random(`${seed}/${made.set.path}/${made.keyOf(row.values) ?? ''}`)
      const subject = anySubject(random)
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
  lookups: ReadonlyMap<string, MadeSet>,
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
function lookupsIn(sets: readonly MadeSet[]): ReadonlyMap<string, MadeSet> {
  const lookups = new Map<string, MadeSet>()
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
