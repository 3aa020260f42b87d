import type { EntitySet } from '../edm/edm-model.js'

/** Creates the error for a result that the contract of providers does not allow. */
export function invalidProviderResult(set: EntitySet, expected: string, result: unknown): TypeError {
  const actual = result === null ? 'null' : Array.isArray(result) ? 'an array' : typeof result
  return new TypeError(`The provider of '${set.path}' must return ${expected}, but returned ${actual}.`)
}
