/**
 * Yields to the event loop. If the caller runs in a network callback, timers run after it continues: timers wait up to
 * twice as long as the work between two calls.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
