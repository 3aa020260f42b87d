import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstatSync, opendirSync, readdirSync, readlinkSync, unlinkSync } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { basename } from 'node:path'
import createDebug from 'debug'
import { BoundedCache } from '../../util/bounded-cache.js'
import type { OpenDirectory } from './open-directory.js'
import { unlessAbsent } from './open-directory.js'

const debug = createDebug('odata-v2:files')

const pattern = /^\.upload-[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** So many milliseconds an upload stands still before it counts as abandoned. Node ends requests much earlier. */
const standstill = 60 * 60 * 1000

/** So many directories are remembered. */
const remembered = 1_000

/** The name of a file that is being written: hidden, and never the same twice. */
export function uploadName(): string {
  return `.upload-${randomUUID()}`
}

/**
 * What processes left behind that were killed while they wrote a file. It is removed from a directory before something
 * is written there: at first, and once an hour.
 *
 * A file goes only when it has the very name of an upload, has stood still for an hour, and no process that can be seen
 * has it open. Of a process that cannot be seen, on another machine, it would be the upload that fails, and nothing
 * else.
 */
export class AbandonedUploads {
  /** When directories were looked through last, by the clock of their file system. */
  private readonly lookedThrough = new BoundedCache<string, number>(remembered)

  /** @param newest a file that has just been made in the directory: tells what time it is there */
  async clear(directory: OpenDirectory, newest: Stats): Promise<void> {
    const { dev, ino } = directory.information()
    const now = newest.mtimeMs
    const last = this.lookedThrough.get(`${dev}:${ino}`)
    if (last !== undefined && now - last < standstill) return
    this.lookedThrough.set(`${dev}:${ino}`, now)
    try {
      const names = (await uploadsIn(directory)).filter((name) => {
        const stats = unlessAbsent(() => lstatSync(`${directory.location}/${name}`))
        return stats !== undefined && now - stats.mtimeMs > standstill
      })
      removeUnheld(directory, names)
    } catch (error) {
      // The upload that is to be written does not depend on it.
      debug('abandoned uploads could not be removed: %O', error)
    }
  }
}

async function uploadsIn(directory: OpenDirectory): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(directory.location, { bufferSize: 1_024 })) {
    if (pattern.test(name)) names.push(name)
  }
  return names
}

/** Removes the uploads in a directory that nobody has open any more, if there is nothing else in it. */
export function clearBeforeRemoval(directory: OpenDirectory): void {
  const names: string[] = []
  const entries = opendirSync(directory.location)
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (!pattern.test(entry.name)) return
      names.push(entry.name)
    }
  } finally {
    entries.closeSync()
  }
  removeUnheld(directory, names)
}

function removeUnheld(directory: OpenDirectory, names: readonly string[]): void {
  if (names.length === 0) return
  const held = heldUploads()
  for (const name of names) {
    const location = `${directory.location}/${name}`
    if (held.has(name) || unlessAbsent(() => lstatSync(location))?.isFile() !== true) continue
    unlessAbsent(() => {
      unlinkSync(location)
    })
  }
}

/** The names of all uploads that processes have open, of those that this one can see. */
function heldUploads(): Set<string> {
  const held = new Set<string>()
  for (const process of readdirSync('/proc')) {
    if (!/^\d+$/.test(process)) continue
    const handles = `/proc/${process}/fd`
    for (const handle of unlessAbsent(() => readdirSync(handles)) ?? []) {
      const name = basename(unlessAbsent(() => readlinkSync(`${handles}/${handle}`)) ?? '')
      if (pattern.test(name)) held.add(name)
    }
  }
  return held
}
