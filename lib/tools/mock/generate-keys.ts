import type { EntityType, Property } from '../../edm/edm-model.js'
import { integerMaxima } from '../../edm/primitive-types/integer.js'
import type { Row } from '../../evaluation/row.js'
import type { MockForeignKey, MockRow, MockSet } from './mock-set.js'
import { Random } from './random.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { allowedStrings } from '../../edm/vocabularies/allowed-values.js'
import { codesFor } from './codes.js'
import { guidText } from './property-value.js'

/** Maximum number of attempts to generate a key that no other row has. */
const MAX_ATTEMPTS = 30

/** Generates rows that only have keys. Principals come before dependents whose keys contain the foreign key. */
export class KeyGenerator {
  private readonly done = new Set<MockSet>()

  constructor(
    private readonly foreignKeys: readonly MockForeignKey[],
    private readonly count: number,
    private readonly seed: string,
  ) {}

  make(made: MockSet): void {
    if (this.done.has(made)) return
    // Cyclic foreign keys end here. Rows without a principal are removed later.
    this.done.add(made)
    for (const { dependent, principal, isInKey } of this.foreignKeys) {
      if (dependent === made && isInKey) this.make(principal)
    }
    if (!made.isGiven) this.makeRows(made)
  }

  private makeRows(made: MockSet): void {
    const { entityType, path } = made.set
    const types = [entityType, ...entityType.derivedTypes].filter(({ abstract }) => !abstract)
    const random = new Random(`${this.seed}/${path}`)
    this.addWanted(made, types)
    const counters = new Map<string, number>()
    for (let index = 0; made.rows.length < this.count; index++) {
      const type = types[index % Math.max(types.length, 1)]
      if (type === undefined || !this.addRow(made, type, index, counters, random)) return
    }
  }

  /** Adds principals that rows of the caller refer to. */
  private addWanted(made: MockSet, types: readonly EntityType[]): void {
    const { key } = made.set.entityType
    for (const { principal, dependent, constraint } of this.foreignKeys) {
      const { principalProperties, dependentProperties } = constraint
      const type = types.find((one) => one.isOrInherits(constraint.principal.type))
      if (principal !== made || !dependent.isGiven || principalProperties.length !== key.length) continue
      if (type === undefined) continue
      for (const { values } of dependent.rows) {
        const wanted = principalProperties.map(({ name }, index) => [
          name,
          values[dependentProperties[index]?.name ?? ''],
        ])
        made.add({ type, values: Object.fromEntries(wanted) as Record<string, unknown>, isGiven: false })
      }
    }
  }

  private addRow(
    made: MockSet,
    type: EntityType,
    index: number,
    counters: Map<string, number>,
    random: Random,
  ): boolean {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const values: Record<string, unknown> = {}
      const principals: [MockForeignKey, MockRow][] = []
      const isPossible = this.foreignKeys
        .filter((one) => one.dependent === made && one.isInKey && one.appliesTo({ type }))
        .every((one) => this.fill(one, values, index + attempt, attempt, random, principals))
      const own = isPossible ? this.ownParts(made, values, counters) : undefined
      if (own === undefined || !made.add({ type, values: { ...own, ...values }, isGiven: false })) continue
      for (const [foreignKey, principal] of principals) foreignKey.take(principal)
      return true
    }
    return false
  }

  /** @returns false without a principal */
  private fill(
    foreignKey: MockForeignKey,
    values: Record<string, unknown>,
    index: number,
    attempt: number,
    random: Random,
    principals: [MockForeignKey, MockRow][],
  ): boolean {
    const candidates = foreignKey.candidates(values)
    const { key } = foreignKey.dependent.set.entityType
    const isWholeKey = key.every(({ name }) => foreignKey.names.includes(name))
    const principal =
      isWholeKey && attempt === 0 ? candidates[index % candidates.length] : random.anyOf(candidates)
    // The first row of a set that refers to itself has no other principal.
    if (principal === undefined) return foreignKey.principal === foreignKey.dependent
    Object.assign(values, foreignKey.valuesOf(principal))
    principals.push([foreignKey, principal])
    return true
  }

  /** Counts up the key properties outside of foreign keys, separately for each combination of the others. */
  private ownParts(made: MockSet, values: Row, counters: Map<string, number>): Row | undefined {
    const { key } = made.set.entityType
    const others = key.filter(({ name }) => Object.hasOwn(values, name))
    const parts = key.filter(({ name }) => !Object.hasOwn(values, name))
    const group = others.length === 0 ? '' : JSON.stringify(others.map(({ name }) => String(values[name])))
    if (parts.length === 0) return {}
    const index = counters.get(group) ?? 0
    counters.set(group, index + 1)
    return keyValues(parts, index, `${this.seed}/${made.set.path}/${group}`)
  }
}

const DAY_MS = 86_400_000

const firstDay = Date.UTC(2025, 0, 1)

/** Types with this many values are treated as unlimited. */
const many = 1e9

/** Shorter strings are counted with letters and digits. */
const SHORT_LENGTH = 4

/**
 * Generates the key properties outside of foreign keys.
 *
 * @param index each index gives a different key
 * @param seed for types that cannot be counted, such as Edm.Guid
 * @returns undefined if the types have too few values: Edm.Boolean has two
 */
export function keyValues(
  parts: readonly Property[],
  index: number,
  seed: string,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {}
  let rest = index
  let isUnique = false
  for (const part of parts) {
    const count = countOf(part)
    values[part.name] = keyValue(part, rest % count, `${seed}/${part.name}`)
    if (count >= many) isUnique = true
    else rest = Math.floor(rest / count)
  }
  return isUnique || rest === 0 ? values : undefined
}

/** Returns the number of different values that the generator has for a key property. */
function countOf(property: Property): number {
  const { type, maxLength, precision, scale } = property
  switch (type as PrimitiveTypeName) {
    case 'Edm.Boolean':
      return 2
    case 'Edm.Time':
      return 24 * 60
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return 1_000_000
    case 'Edm.Decimal':
      return precision === undefined ? many : Math.max(1, 10 ** Math.min(9, precision - (scale ?? 0)) - 1)
    case 'Edm.String': {
      const members = allowedStrings(property)
      if (members !== undefined) return members.length
      if (typeof maxLength !== 'number') return many
      return maxLength < SHORT_LENGTH ? 36 ** maxLength : Math.min(many, 10 ** Math.min(maxLength, 9) - 1)
    }
    case 'Edm.Binary':
      return typeof maxLength === 'number' ? Math.min(many, 256 ** Math.min(maxLength, 4)) : many
    default:
      return Math.min(many, Number(integerMaxima.get(type) ?? many))
  }
}

function keyValue(part: Property, index: number, seed: string): unknown {
  const type = part.type as PrimitiveTypeName
  switch (type) {
    case 'Edm.String':
      return (allowedStrings(part) ?? codesFor(part))[index] ?? textKey(part, index)
    case 'Edm.Binary':
      return bytesKey(part, index)
    case 'Edm.Decimal':
      // Without digits before the point, zero is the only whole number.
      return primitiveTypes[type].parse(String(countOf(part) === 1 ? 0 : index + 1))
    case 'Edm.Boolean':
      return index === 1
    case 'Edm.Guid':
      return guidText(new Random(`${seed}/${String(index)}`))
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return new Date(firstDay + index * DAY_MS)
    case 'Edm.Time':
      return primitiveTypes[type].parse(new Date(index * 60_000).toISOString().slice(11, 19))
    default:
      return primitiveTypes[type].parse(String(index + 1))
  }
}

/** Returns the string key of a row: `1`, `2`, and so on; short strings are counted in base 36. */
function textKey({ maxLength, fixedLength }: Property, index: number): string {
  const longest = typeof maxLength === 'number' ? maxLength : 10
  if (longest === 0) return ''
  const text = longest < SHORT_LENGTH ? index.toString(36).toUpperCase() : String(index + 1)
  return fixedLength === true ? text.padStart(longest, '0') : text
}

function bytesKey({ maxLength, fixedLength }: Property, index: number): Uint8Array {
  const longest = typeof maxLength === 'number' ? maxLength : 4
  const bytes = new Uint8Array(fixedLength === true ? longest : Math.min(4, longest))
  for (let place = bytes.length - 1, rest = index; place >= 0; place--, rest = Math.floor(rest / 256)) {
    bytes[place] = rest % 256
  }
  return bytes
}
