import process from 'node:process'
import fc from 'fast-check'

/** Fixed, so that every run tries the same inputs. `SEED=7 npm test` tries others. fast-check prints it on failure. */
export const seed = Number(process.env.SEED ?? 1)

/** 0.1 in `npm test` and 1 in `npm run test:deep`. `RUNS=10` tries ten times as many inputs. */
const factor = Number(process.env.RUNS ?? 0.1)

fc.configureGlobal({ seed, numRuns: runs(100) })

/**
 * Returns how often a random test runs.
 *
 * @param full the number of runs in `npm run test:deep`
 */
export function runs(full: number): number {
  return Math.max(1, Math.ceil(full * factor))
}

export { fc }
