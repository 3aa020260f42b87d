/** A clock that only tests advance. */
interface ManualClock {
  /** Milliseconds. */
  now: number
  /** How many milliseconds pass whenever the clock is read. */
  step: number
}

/**
 * Replaces `performance.now` for the tests of a describe block. lib divides long work into time slices by this clock:
 * with a manual one the slices depend on the work alone, not on the speed and the load of the machine.
 */
export function manualClock(): ManualClock {
  const clock: ManualClock = { now: 0, step: 0 }
  const { performance } = globalThis
  const replace = (value: Pick<typeof performance, 'now'>): void => {
    Object.defineProperty(globalThis, 'performance', { value, configurable: true, writable: true })
  }

  beforeEach(() => {
    Object.assign(clock, { now: 0, step: 0 })
    replace({ now: () => (clock.now += clock.step) })
  })
  afterEach(() => {
    replace(performance)
  })
  return clock
}
