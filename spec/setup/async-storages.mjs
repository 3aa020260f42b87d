import { AsyncLocalStorage } from 'node:async_hooks'

const used = new Set()

/**
 * Records the instances of AsyncLocalStorage that run.
 *
 * Node.js 20 and 22 visit each of them for each promise and each socket until it is disabled. Jest creates one per spec
 * file, which slows down all later files of a worker.
 */
export function recordAsyncStorages() {
  for (const method of ['run', 'enterWith']) {
    const original = AsyncLocalStorage.prototype[method]
    AsyncLocalStorage.prototype[method] = function (...parameters) {
      used.add(this)
      return original.apply(this, parameters)
    }
  }
}

export function disableAsyncStorages() {
  for (const storage of used) storage.disable()
  used.clear()
}
