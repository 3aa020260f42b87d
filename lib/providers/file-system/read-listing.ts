import type { BigIntStats, Dir, Dirent } from 'node:fs'
import { lstatSync, opendirSync } from 'node:fs'
import { compareStrings } from '../../edm/primitive-types/primitive-type.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import { sortCooperatively } from '../../util/sort-cooperatively.js'
import { TimeSlice } from '../../util/time-slice.js'
import type { OpenDirectory } from './open-directory.js'
import { unlessAbsent } from './open-directory.js'
import { isVisibleName, MAX_NAME_LENGTH } from './path-key.js'

/** The visible entries of a directory, sorted by code point. */
export interface DirectoryListing {
  readonly names: readonly string[]
  /** The directories among the names, each with a trailing `/`. In the order of all paths, `/a/x` comes after `/a-b`. */
  readonly subtrees: readonly string[]
}

export const emptyListing: DirectoryListing = { names: [], subtrees: [] }

/** Returns the index of the first of sorted strings, within a range, that is not less than a string. */
export function lowerBound(sorted: readonly string[], text: string, start = 0, end = sorted.length): number {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareStrings(sorted[middle] ?? '', text) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the least string that is greater than a string. */
export function successor(text: string): string {
  return `${text}\0`
}

/** Returns true if a listing contains a file or directory of this name. */
export function hasName({ names }: DirectoryListing, name: string): boolean {
  return names[lowerBound(names, name)] === name
}

/** Returns true if a listing contains a directory of this name. */
export function isDirectoryName({ subtrees }: DirectoryListing, name: string): boolean {
  return subtrees[lowerBound(subtrees, `${name}/`)] === `${name}/`
}

/** Returns the listing without names that are longer than a limit. */
export function withoutLongNames(listing: DirectoryListing, maxLength: number): DirectoryListing {
  if (maxLength >= MAX_NAME_LENGTH) return listing
  return {
    names: listing.names.filter((name) => name.length <= maxLength),
    subtrees: listing.subtrees.filter((name) => name.length - 1 <= maxLength),
  }
}

/** The number of entries that are read, and sorted, without yielding to the event loop. */
const BLOCK_LENGTH = 1_024

/** A listing, and the state of the directory after it was read; undefined if the directory was gone. */
export interface ReadListing {
  readonly listing: DirectoryListing
  readonly stats: BigIntStats | undefined
}

const absent: ReadListing = { listing: emptyListing, stats: undefined }

/**
 * Reads the entries of a directory: synchronously if there are few, else in blocks that yield to the event loop.
 *
 * @param directory can be closed when this returns
 */
export function readListing(directory: OpenDirectory): PromiseOrValue<ReadListing> {
  const entries = unlessAbsent(() => opendirSync(directory.location, { bufferSize: BLOCK_LENGTH }))
  if (entries === undefined) return absent
  const names = new Names()
  const slice = new TimeSlice()
  let own: OpenDirectory | undefined
  try {
    if (names.readBlock(entries, directory)) {
      return mapValue(names.listing(slice), (listing) => checked(listing, directory))
    }
    own = unlessAbsent(() => directory.reopen())
  } finally {
    if (own === undefined) entries.closeSync()
  }
  return own === undefined ? absent : readOn(entries, names, own, slice)
}

async function readOn(
  entries: Dir,
  names: Names,
  directory: OpenDirectory,
  slice: TimeSlice,
): Promise<ReadListing> {
  try {
    do await slice.yield()
    while (!names.readBlock(entries, directory))
    return checked(await names.listing(slice), directory)
  } finally {
    entries.closeSync()
    directory.close()
  }
}

function checked(listing: DirectoryListing, directory: OpenDirectory): ReadListing {
  if (!directory.isStillThere()) return absent
  return { listing, stats: unlessAbsent(() => directory.stat()) }
}

/** Collects the visible names of a directory. */
class Names {
  private readonly names: string[] = []
  private readonly subtrees: string[] = []
  /** Names with the replacement character of undecodable bytes, which can occur more than once. */
  private readonly doubtful = new Set<string>()

  /** @returns true at the end of the directory */
  readBlock(entries: Dir, directory: OpenDirectory): boolean {
    for (let count = 0; count < BLOCK_LENGTH; count++) {
      const entry = entries.readSync()
      if (entry === null) return true
      if (isVisibleName(entry.name)) this.add(entry, directory)
    }
    return false
  }

  /** Sorts the names, synchronously if there is only one block. */
  listing(slice: TimeSlice): PromiseOrValue<DirectoryListing> {
    return mapValue(sortCooperatively(this.names, compareStrings, slice), (names) =>
      mapValue(sortCooperatively(this.subtrees, compareStrings, slice), (subtrees) => ({ names, subtrees })),
    )
  }

  private add(entry: Dirent, directory: OpenDirectory): void {
    const { name } = entry
    const isDoubtful = name.includes('\ufffd')
    if (isDoubtful && this.doubtful.has(name)) return
    if (isDoubtful) this.doubtful.add(name)
    // A doubtful name is used only if an entry has exactly this name.
    const type =
      isDoubtful || hasNoType(entry) ? unlessAbsent(() => lstatSync(`${directory.location}/${name}`)) : entry
    if (type?.isDirectory() === true) this.subtrees.push(`${name}/`)
    else if (type?.isFile() !== true) return
    this.names.push(name)
  }
}

/** Returns true for an entry without type: some file systems do not return types with names. */
function hasNoType(entry: Dirent): boolean {
  return !(
    entry.isFile() ||
    entry.isDirectory() ||
    entry.isSymbolicLink() ||
    entry.isFIFO() ||
    entry.isSocket() ||
    entry.isCharacterDevice() ||
    entry.isBlockDevice()
  )
}
