/** Calls a function when no microtask is left, so that all work of this turn of the event loop has begun. */
export function atEndOfTurn<A extends readonly unknown[]>(run: (...values: A) => void, ...values: A): void {
  // Next ticks of a microtask run after the microtasks that it leads to.
  queueMicrotask(() => process.nextTick(run, ...values))
}
