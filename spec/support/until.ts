import { setTimeout as delay } from 'node:timers/promises'

const POLL_INTERVAL_MS = 5

/**
 * Polls until a condition holds.
 *
 * It has no deadline, since a machine may be arbitrarily slow: a test whose condition never holds ends with the timeout
 * of Jest. The timers are unreferenced, so that the process can exit after such a test.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(POLL_INTERVAL_MS, undefined, { ref: false })
}
