import { watch } from 'node:fs'
import { join } from 'node:path'
import type { Provider } from '../../provider/provider.js'
import { reasonOf } from './faults.js'
import { tagOnDisk } from './row-keeper.js'
import type { LoadedMock } from './load-mock.js'
import type { Exchange, ServedSource } from './served-source.js'

/** Programs save files in several steps; how long is waited for the last of them, in milliseconds. */
const delay = 150

/**
 * Reads the rows of a directory again when a file changes that this service has not written itself. What cannot be
 * read is complained of, and the rows stay as they were.
 */
export function watchedRows(
  directory: string,
  first: LoadedMock,
  load: () => LoadedMock,
  complain: (line: string) => void,
): Pick<ServedSource, 'onReload' | 'close'> {
  let current = first
  let exchange: Exchange | undefined
  let timer: NodeJS.Timeout | undefined
  let reloading = Promise.resolve()
  const loadNext = async (): Promise<Provider> => {
    await current.keeper?.save()
    const next = load()
    await current.keeper?.end()
    current = next
    return next.provider
  }
  const reload = async (): Promise<void> => {
    const changed = changedSets(directory, current)
    if (changed.length === 0) return
    try {
      await exchange?.(loadNext)
      complain(`Read again: ${changed.map((name) => `${name}.json`).join(', ')}`)
    } catch (error) {
      complain(`The rows stay as they were. ${reasonOf(error)}`)
    }
  }
  const watcher = watch(directory, () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      reloading = reloading.then(reload)
    }, delay)
  })
  watcher.on('error', (error) => {
    complain(`${directory} cannot be watched any more: ${reasonOf(error)}`)
  })
  return {
    onReload: (given) => {
      exchange = given
    },
    close: async () => {
      clearTimeout(timer)
      watcher.close()
      await reloading
      await current.keeper?.end()
    },
  }
}

function changedSets(directory: string, { store, given, keeper }: LoadedMock): string[] {
  return [...store.tables.keys()].filter((path) => {
    const known = keeper === undefined ? given.known.get(path)?.tag : keeper.tagOf(path)
    return tagOnDisk(join(directory, `${path}.json`)) !== known
  })
}
