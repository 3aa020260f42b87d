import type { CanonicalFunction } from './canonical-function.js'
import { dateTimeFunctions } from './date-time.js'
import { mathFunctions } from './math.js'
import { stringFunctions } from './string.js'

/** Every canonical function by name. `isof` and `cast` take types and are not among them. */
export const canonicalFunctions = {
  ...stringFunctions,
  ...dateTimeFunctions,
  ...mathFunctions,
} as const satisfies Record<string, CanonicalFunction>

export type CanonicalFunctionName = keyof typeof canonicalFunctions

export function isCanonicalFunctionName(name: string): name is CanonicalFunctionName {
  return Object.hasOwn(canonicalFunctions, name)
}
