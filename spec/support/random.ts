import process from 'node:process'
import fc from 'fast-check'

/** Fixed, so that every run tries the same inputs. `SEED=7 npm test` tries others. fast-check prints it on failure. */
export const seed = Number(process.env.SEED ?? 1)

/** 0.05 in `npm test` and 1 in `npm run test:deep`. `RUNS=10` tries ten times as many inputs. */
const factor = Number(process.env.RUNS ?? 0.05)

fc.configureGlobal({ seed, numRuns: runs(100) })

/**
 * Returns how often a random test runs.
 *
 * @param full the number of runs in `npm run test:deep`
 */
export function runs(full: number): number {
  return Math.max(1, Math.ceil(full * factor))
}

const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * A character of any code point but surrogates: `fc.string({ unit: codePoint })`.
 *
 * The unit `binary` of fast-check generates the same strings but takes a second to set up in every spec file.
 */
export const codePoint = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count))

export { fc }
