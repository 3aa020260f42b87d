import { convertKey } from '../../edm/convert-key.js'
import type { EntitySet, EntityType, ReferentialConstraint } from '../../edm/edm-model.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'

/** A generated row, or one that the caller provided. */
export interface MockRow {
  readonly type: EntityType
  readonly values: Record<string, unknown>
  /** Rows of the caller are not changed. */
  readonly isGiven: boolean
}

/** The rows of one entity set while they are generated. */
export class MockSet {
  rows: MockRow[] = []
  private readonly keys = new Set<string>()
  private readonly shape: ReturnType<typeof keyShape>

  constructor(
    readonly set: EntitySet,
    readonly isGiven: boolean,
  ) {
    this.shape = keyShape(set.entityType.key)
  }

  keyOf(values: Row): string | undefined {
    return keyText(values, this.shape.names, this.shape.types)
  }

  /** @returns false if the key is incomplete, or another row has it */
  add(row: MockRow): boolean {
    const text = this.keyOf(row.values)
    if (text === undefined || this.keys.has(text)) return false
    this.keys.add(text)
    this.rows.push(row)
    return true
  }

  /** @returns true if any row was removed */
  remove(gone: (row: MockRow) => boolean): boolean {
    const count = this.rows.length
    this.rows = this.rows.filter((row) => {
      const isGone = !row.isGiven && gone(row)
      if (isGone) this.keys.delete(this.keyOf(row.values) ?? '')
      return !isGone
    })
    return this.rows.length < count
  }

  ofType(type: EntityType): readonly MockRow[] {
    return this.set.entityType.isOrInherits(type)
      ? this.rows
      : this.rows.filter((row) => row.type.isOrInherits(type))
  }
}

/** A foreign key between two sets while their rows are generated. */
export class MockForeignKey {
  readonly names: readonly string[]
  private readonly shape: ReturnType<typeof keyShape>
  private readonly principalShape: ReturnType<typeof keyShape>
  /** Keys of principals that already have their only dependent. */
  private readonly taken = new Set<string | undefined>()

  constructor(
    readonly constraint: ReferentialConstraint,
    readonly principal: MockSet,
    readonly dependent: MockSet,
  ) {
    this.shape = keyShape(constraint.dependentProperties)
    this.principalShape = keyShape(constraint.principalProperties)
    this.names = this.shape.names
  }

  appliesTo({ type }: MockRow | { readonly type: EntityType }): boolean {
    return type.isOrInherits(this.constraint.dependent.type)
  }

  get isInKey(): boolean {
    return this.constraint.dependentProperties.some(({ isKey }) => isKey)
  }

  /** True if dependents without a principal are removed. */
  get isMandatory(): boolean {
    return this.isRequired && (this.constraint.isInferred !== true || this.isInKey)
  }

  /** True if the foreign key is never null. */
  get isRequired(): boolean {
    const { principal, dependentProperties } = this.constraint
    return (
      principal.multiplicity === '1' || dependentProperties.every(({ nullable, isKey }) => !nullable || isKey)
    )
  }

  /** Returns the foreign key values of a dependent of this principal, in the types of the foreign key. */
  valuesOf({ values }: MockRow): Record<string, unknown> {
    const { dependentProperties, principalProperties } = this.constraint
    return Object.fromEntries(
      dependentProperties.map((own, index) => {
        const key = principalProperties[index] ?? own
        return [own.name, convertKey(values[key.name], key, own) ?? null]
      }),
    )
  }

  /** Returns the key of the principal that a row refers to; undefined if it is null. */
  textIn(values: Row): string | undefined {
    return keyText(values, this.shape.names, this.shape.types)
  }

  /** Returns the key of a principal, in the form of {@link textIn}. */
  textOf(principal: MockRow): string | undefined {
    return keyText(principal.values, this.principalShape.names, this.principalShape.types)
  }

  /** Principals that match the foreign key values which a dependent already has. */
  candidates(known: Row): readonly MockRow[] {
    const all = this.principal.ofType(this.constraint.principal.type)
    const isShared = this.constraint.dependent.multiplicity === '*'
    const free = isShared ? all : all.filter((one) => !this.taken.has(this.textOf(one)))
    const fixed = this.names.flatMap((name, index) => (Object.hasOwn(known, name) ? [index] : []))
    if (fixed.length === 0) return free
    const textOf = (values: Row, { names, types }: ReturnType<typeof keyShape>): string | undefined =>
      keyText(
        values,
        fixed.map((index) => names[index] ?? ''),
        fixed.map((index) => types[index] ?? 'Edm.String'),
      )
    const wanted = textOf(known, this.shape)
    if (wanted === undefined) return []
    return free.filter(({ values }) => textOf(values, this.principalShape) === wanted)
  }

  take(principal: MockRow): void {
    this.taken.add(this.textOf(principal))
  }
}
