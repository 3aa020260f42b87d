/** A pseudorandom generator that returns the same numbers in every run. */
export interface Random {
  /** A whole number from `first` to `last`, both included. */
  integer(first: number, last: number): number
  /** One member of a list that is not empty. */
  oneOf<T>(list: readonly T[]): T
  /** Returns true with a probability in percent. */
  chance(percent: number): boolean
}

/** Creates a linear congruential generator, which is sufficient for sample data and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const integer = (first: number, last: number): number => first + Math.floor(fraction() * (last - first + 1))
  return {
    integer,
    oneOf(list) {
      const found = list[integer(0, list.length - 1)]
      if (found === undefined) throw new RangeError('There is nothing to choose from.')
      return found
    },
    chance: (percent) => integer(1, 100) <= percent,
  }
}
