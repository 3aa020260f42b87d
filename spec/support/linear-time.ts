import { setTimeout as delay } from 'node:timers/promises'
import { createContext, Script } from 'node:vm'

/** Ends work that hangs. Far above what a slow machine needs. */
const TIMEOUT_MS = 60_000

const context: { work?: () => unknown } = createContext({})
const script = new Script('work()')

/**
 * Runs work whose CPU time must be proportional to the length of its input.
 *
 * A measured time would depend on the machine and its load. Instead, the input has to be so long that quadratic work
 * takes minutes, while proportional work takes far less than a second. Jest does not end synchronous code at its
 * timeout, nor does it notice that later, so this function does.
 *
 * @throws Error ERR_SCRIPT_EXECUTION_TIMEOUT
 */
export function inLinearTime<T>(work: () => Promise<T>): Promise<T>
export function inLinearTime<T>(work: () => T): T
export function inLinearTime(work: () => unknown): unknown {
  context.work = work
  const result = script.runInContext(context, { timeout: TIMEOUT_MS }) as unknown
  return isPromise(result) ? withTimers(result) : result
}

/** Jest ends asynchronous work at its timeout as soon as the event loop comes to its timers. */
async function withTimers(result: Promise<unknown>): Promise<unknown> {
  const value = await result
  await delay(1)
  return value
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
