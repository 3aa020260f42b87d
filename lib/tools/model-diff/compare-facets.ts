import type { FunctionParameter, Property } from '../../edm/edm-model.js'
import type { BooleanPath } from '../../edm/sap-annotations.js'
import type { ElementLog } from './model-change.js'

/** Facets that limit values, and the consequence of a lower limit. */
const bounds = [
  {
    name: 'MaxLength',
    of: (one: Property | FunctionParameter) => one.maxLength,
    unit: 'Longer values are refused.',
  },
  {
    name: 'Precision',
    of: (one: Property | FunctionParameter) => one.precision,
    unit: 'Values with more digits are refused.',
  },
  {
    name: 'Scale',
    of: (one: Property | FunctionParameter) => one.scale,
    unit: 'Values with more fractional digits are refused.',
  },
] as const

/** Compares `MaxLength`, `Precision` and `Scale`. */
export function compareBounds(
  before: Property | FunctionParameter,
  after: Property | FunctionParameter,
  log: ElementLog,
): void {
  for (const { name, of, unit } of bounds) {
    const [from, to] = [of(before), of(after)]
    if (limitOf(from) === limitOf(to)) continue
    const message = became(name, from, to)
    if (limitOf(to) < limitOf(from)) log.breaking(message, unit)
    else
      log.compatible(message, 'Requests that were accepted still are; responses can contain longer values.')
  }
}

function limitOf(facet: number | 'Max' | undefined): number {
  return typeof facet === 'number' ? facet : Infinity
}

/** `MaxLength 40 became 20`, for a facet that may be missing. */
export function became(
  name: string,
  from: string | number | undefined,
  to: string | number | undefined,
): string {
  if (from === undefined) return `${name} ${String(to)} was added`
  if (to === undefined) return `${name} ${String(from)} was removed`
  return `${name} ${String(from)} became ${String(to)}`
}

/** The state of a restriction in both models. */
interface Switch {
  readonly before: boolean
  readonly after: boolean
  /** Message and reason when the facet is set. */
  readonly on: readonly [message: string, reason: string]
  readonly off: readonly [message: string, reason: string]
}

/** Records a restriction that was added, which is breaking, or removed, which is compatible. */
export function compareRestriction({ before, after, on, off }: Switch, log: ElementLog): void {
  if (!before && after) log.breaking(...on)
  else if (before && !after) log.compatible(...off)
}

/**
 * Compares a Boolean annotation that restricts clients.
 *
 * @param what may not be done: `be changed`
 * @param restricted whether it was, and whether it is; undefined where nothing is said
 */
export function compareAbility(
  what: string,
  annotation: string,
  restricted: readonly [before: boolean | undefined, after: boolean | undefined],
  log: ElementLog,
): void {
  const [before = false, after = false] = restricted
  compareRestriction(
    {
      before,
      after,
      on: [`cannot ${what} any more (${annotation})`, 'Requests that do are refused.'],
      off: [`can ${what} (${annotation})`, 'Nothing that was accepted is refused.'],
    },
    log,
  )
}

/**
 * Compares the path of a property that decides for which entities an operation is allowed.
 *
 * @param what may be done: `be changed`
 */
export function comparePath(
  what: string,
  annotation: string,
  [before, after]: readonly [BooleanPath | undefined, BooleanPath | undefined],
  log: ElementLog,
): void {
  const [from, to] = [before, after].map((path) => path?.map(({ name }) => name).join('/'))
  if (from === to) return
  if (to === undefined)
    log.compatible(`can always ${what} (${annotation})`, 'Nothing that was accepted is refused.')
  else log.breaking(`can ${what} only where ${to} is true (${annotation})`, 'Other requests are refused.')
}
