import type { ComplexType, EdmModel, EntityType, FunctionParameter, Property } from '../../edm/edm-model.js'
import { nameOfType } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { BooleanPath, SapRestrictions } from '../../edm/sap-annotations.js'
import { sapRestrictionsOf } from '../../edm/sap-annotations.js'

/**
 * The kind of element that a change affects.
 *
 * @example
 * const elements: ChangedElement[] = ['EntitySet', 'FunctionImport']
 * const changes = compareModels(readEdmx(released), model).filter(({ element }) => elements.includes(element))
 */
export type ChangedElement =
  | 'Model'
  | 'EntitySet'
  | 'EntityType'
  | 'ComplexType'
  | 'Property'
  | 'NavigationProperty'
  | 'FunctionImport'
  | 'Parameter'

/**
 * One difference between two models, as clients of the service see it.
 *
 * @example
 * const breaking: ModelChange[] = compareModels(readEdmx(released), model).filter((change) => change.breaking)
 * for (const { path, message, reason } of breaking) console.error(`${path}: ${message}. ${reason}`)
 */
export interface ModelChange {
  readonly kind: 'added' | 'removed' | 'changed'
  /** The kind of the element. */
  readonly element: ChangedElement
  /** The path of the element: `NW.Product/Name`, `Products`. Removed elements have the path of the old model. */
  readonly path: string
  /** True if clients of the old model can fail. */
  readonly breaking: boolean
  /** The change: `MaxLength 40 became 20`. */
  readonly message: string
  /** The consequence for clients. */
  readonly reason: string
}

/** The value of a facet or annotation in both models. */
type BeforeAndAfter<Value> = readonly [before: Value, after: Value]

type AnyType = PrimitiveTypeName | ComplexType | EntityType

/** Two models, how the names of their types correspond, and the changes that were found. */
export class Comparison {
  readonly changes: ModelChange[] = []
  /** A renamed namespace: the only one that disappeared, and the only one that appeared. */
  readonly renamed: { readonly before: string; readonly after: string } | undefined
  readonly restrictionsBefore: SapRestrictions | undefined
  readonly restrictionsAfter: SapRestrictions | undefined

  constructor(
    readonly before: EdmModel,
    readonly after: EdmModel,
  ) {
    this.renamed = renamedNamespace(namespacesOf(before), namespacesOf(after))
    this.restrictionsBefore = sapRestrictionsOf(before)
    this.restrictionsAfter = sapRestrictionsOf(after)
  }

  of(element: ChangedElement, path: string): ElementLog {
    return new ElementLog(this.changes, element, path)
  }

  /** Returns the name of a type of the old model in the new one. */
  nameAfter(type: AnyType): string {
    if (typeof type === 'string' || type.namespace !== this.renamed?.before) return nameOfType(type)
    return `${this.renamed.after}.${type.name}`
  }

  isSameType(before: AnyType, after: AnyType): boolean {
    return this.nameAfter(before) === nameOfType(after)
  }
}

function namespacesOf({ entityTypes, complexTypes }: EdmModel): string[] {
  return [...new Set([...entityTypes.values(), ...complexTypes.values()].map(({ namespace }) => namespace))]
}

function renamedNamespace(before: readonly string[], after: readonly string[]): Comparison['renamed'] {
  const removed = before.filter((one) => !after.includes(one))
  const added = after.filter((one) => !before.includes(one))
  const [from, to] = [removed[0], added[0]]
  if (from === undefined || to === undefined || removed.length > 1 || added.length > 1) return undefined
  return { before: from, after: to }
}

/** Compares elements of both models by their names. */
export function compareByName<Element>(
  before: ReadonlyMap<string, Element>,
  after: ReadonlyMap<string, Element>,
  on: {
    readonly removed: (one: Element) => void
    readonly both: (before: Element, after: Element) => void
    readonly added: (one: Element) => void
  },
): void {
  for (const [name, one] of before) {
    const same = after.get(name)
    if (same === undefined) on.removed(one)
    else on.both(one, same)
  }
  for (const [name, one] of after) if (!before.has(name)) on.added(one)
}

/** Records the changes of one element. */
export class ElementLog {
  constructor(
    private readonly changes: ModelChange[],
    private readonly element: ChangedElement,
    private readonly path: string,
  ) {}

  breaking(message: string, reason: string): void {
    this.add('changed', true, message, reason)
  }

  compatible(message: string, reason: string): void {
    this.add('changed', false, message, reason)
  }

  removed(reason: string): void {
    this.add('removed', true, 'removed', reason)
  }

  added(reason = 'Clients ignore what they do not know.', breaking = false): void {
    this.add('added', breaking, 'added', reason)
  }

  /** Records a restriction that was added, which is breaking, or removed, which is compatible. */
  restriction(
    [before, after]: BeforeAndAfter<boolean>,
    on: readonly [message: string, reason: string],
    off: readonly [message: string, reason: string],
  ): void {
    if (!before && after) this.breaking(...on)
    else if (before && !after) this.compatible(...off)
  }

  /**
   * Compares a Boolean annotation that restricts clients.
   *
   * @param operation the forbidden operation: `be changed`
   */
  ability(
    operation: string,
    annotation: string,
    [before = false, after = false]: BeforeAndAfter<boolean | undefined>,
  ): void {
    this.restriction(
      [before, after],
      [`can no longer ${operation} (${annotation})`, 'Requests that do are rejected.'],
      [`can ${operation} (${annotation})`, 'Accepted requests remain valid.'],
    )
  }

  /**
   * Compares the path of a property that decides for which entities an operation is allowed.
   *
   * @param operation the allowed operation: `be changed`
   */
  abilityPath(operation: string, annotation: string, paths: BeforeAndAfter<BooleanPath | undefined>): void {
    const [from, to] = paths.map((path) => path?.map(({ name }) => name).join('/'))
    if (from === to) return
    if (to === undefined)
      this.compatible(`can always ${operation} (${annotation})`, 'Accepted requests remain valid.')
    else
      this.breaking(
        `can ${operation} only where ${to} is true (${annotation})`,
        'Other requests are rejected.',
      )
  }

  /** Compares `MaxLength`, `Precision` and `Scale`. */
  bounds(before: Property | FunctionParameter, after: Property | FunctionParameter): void {
    this.bound('MaxLength', [before.maxLength, after.maxLength], 'Longer values are rejected.')
    this.bound('Precision', [before.precision, after.precision], 'Values with more digits are rejected.')
    this.bound('Scale', [before.scale, after.scale], 'Values with more fractional digits are rejected.')
  }

  private bound(name: string, [from, to]: BeforeAndAfter<number | 'Max' | undefined>, reason: string): void {
    const [before, after] = [limitOf(from), limitOf(to)]
    const message = became(name, from, to)
    if (after < before) this.breaking(message, reason)
    if (after > before)
      this.compatible(message, 'Accepted requests remain valid; responses can contain longer values.')
  }

  private add(kind: ModelChange['kind'], breaking: boolean, message: string, reason: string): void {
    const { element, path } = this
    this.changes.push({ kind, element, path, breaking, message, reason })
  }
}

function limitOf(facet: number | 'Max' | undefined): number {
  return typeof facet === 'number' ? facet : Infinity
}

/** Describes the change of a facet that may be missing: `MaxLength 40 became 20`. */
export function became(
  name: string,
  from: string | number | undefined,
  to: string | number | undefined,
): string {
  if (from === undefined) return `${name} ${String(to)} was added`
  if (to === undefined) return `${name} ${String(from)} was removed`
  return `${name} ${String(from)} became ${String(to)}`
}
