import { didYouMean } from '../errors/suggestions.js'
import { describeValue } from '../util/describe-value.js'
import { isRecord } from '../util/is-record.js'

/** The validated option `changeTracking` of a provider. */
interface ChangeTracking {
  /** Paths of the tracked sets. */
  readonly sets: readonly string[]
  readonly validity: number | undefined
  readonly keep: number | undefined
}

/**
 * Validates the option `changeTracking` of a provider.
 *
 * @param caller the function with the option, for messages
 * @param known the paths of all entity sets
 * @param further members that only this provider has
 * @returns undefined if nothing is tracked
 * @throws TypeError for an invalid option, with suggestions for misspelt names
 */
export function checkedTracking(
  caller: string,
  given: unknown,
  known: readonly string[],
  further: readonly 'keep'[] = [],
): ChangeTracking | undefined {
  const invalid = (reason: string): TypeError => new TypeError(`${caller}: changeTracking${reason}`)
  if (given === undefined || given === false) return undefined
  if (given !== true && !isRecord(given))
    throw invalid(` must be true or an object such as { sets: ['Products'] }, not ${describeValue(given)}.`)
  const options: Readonly<Record<string, unknown>> = given === true ? {} : given
  const names = ['sets', 'validity', ...further]
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw invalid(` has no option '${unknown}'.${didYouMean(unknown, names)}`)
  const { sets = known } = options
  if (!Array.isArray(sets)) throw invalid(`.sets must be an array of names of entity sets.`)
  const missing = sets.map(String).find((name) => !known.includes(name))
  if (missing !== undefined)
    throw invalid(`.sets: the model has no entity set '${missing}'.${didYouMean(missing, known)}`)
  const numberOf = (name: 'validity' | 'keep'): number | undefined => {
    const value = options[name]
    if (value === undefined || (Number.isSafeInteger(value) && Number(value) > 0)) return value as number
    throw invalid(`.${name} must be a positive integer, not ${describeValue(value)}.`)
  }
  return { sets: sets.map(String), validity: numberOf('validity'), keep: numberOf('keep') }
}
