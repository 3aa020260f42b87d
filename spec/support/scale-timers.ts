const SCALED_FROM_MS = 1_000

/**
 * Multiplies the delays of timers of one second and more for the tests of a describe block, since lib has time limits
 * that no option changes: a small factor where a limit must be exceeded, a large one where it must not be, however slow
 * the machine is. The timers stay real, and so does their order.
 */
export function scaleTimers(factor: number): void {
  const { setTimeout } = globalThis
  const setScaledTimeout = (callback: (...given: unknown[]) => void, delay = 0, ...given: unknown[]) =>
    setTimeout(callback, delay < SCALED_FROM_MS ? delay : delay * factor, ...given)

  beforeEach(() => {
    globalThis.setTimeout = Object.assign(setScaledTimeout, setTimeout)
  })
  afterEach(() => {
    globalThis.setTimeout = setTimeout
  })
}
