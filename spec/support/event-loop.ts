const DEFAULT_TURNS = 25

/**
 * Lets the event loop turn several times: pending callbacks and sockets with data on this machine are served, and the
 * callbacks that follow from them. Proves that code which would otherwise go on has stopped, without a wait in
 * milliseconds. Does not cover work in other processes and threads, such as files and databases.
 */
export async function turnEventLoop(turns = DEFAULT_TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}
