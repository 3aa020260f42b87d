/**
 * Lets the event loop serve others before long work goes on. Work that began among the callbacks of the network goes on
 * before the loop comes to its timers: it is held twice as long as work that asks for this goes on at once.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
