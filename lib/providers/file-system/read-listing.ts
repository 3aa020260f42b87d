import type { BigIntStats, Dir, Dirent } from 'node:fs'
import { lstatSync, opendirSync } from 'node:fs'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { DirectoryListing } from './directory-listing.js'
import { emptyListing } from './directory-listing.js'
import type { OpenDirectory } from './open-directory.js'
import { unlessAbsent } from './open-directory.js'
import { isVisibleName } from './path-key.js'
import { compareStrings } from '../../edm/primitive-types/compare-operands.js'
import { TimeSlice } from '../../util/time-slice.js'

/** So many names are sorted in one go: two milliseconds. */
const chunk = 4_096

/** In strings without such units, order by unit is order by code point. */
const surrogateOrAbove = /[\ud800-\uffff]/

/** So many names are read in one go. */
const block = 1_024

/** A listing, and what the directory was like when it was read; nothing when it was gone by then. */
export interface ReadListing {
  readonly listing: DirectoryListing
  readonly stats: BigIntStats | undefined
}

/**
 * Reads what stands in a directory. Of a directory with few names the answer is there at once; of others it comes
 * when they are read, block by block with turns for others in between.
 *
 * @param directory may be closed as soon as this returns
 */
export function readListing(directory: OpenDirectory): PromiseOrValue<ReadListing> {
  const entries = unlessAbsent(() => opendirSync(directory.location, { bufferSize: block }))
  if (entries === undefined) return nothing
  const names = new Names()
  let own: OpenDirectory | undefined
  try {
    if (names.readBlock(entries, directory)) return checked(names.listing(), directory)
    own = unlessAbsent(() => directory.reopen())
  } finally {
    if (own === undefined) entries.closeSync()
  }
  return own === undefined ? nothing : readOn(entries, names, own)
}

async function readOn(entries: Dir, names: Names, directory: OpenDirectory): Promise<ReadListing> {
  const slice = new TimeSlice()
  try {
    do await slice.yield()
    while (!names.readBlock(entries, directory))
    return checked(await names.listingOfMany(slice), directory)
  } finally {
    entries.closeSync()
    directory.close()
  }
}

function checked(listing: DirectoryListing, directory: OpenDirectory): ReadListing {
  if (!directory.isStillThere()) return nothing
  return { listing, stats: unlessAbsent(() => directory.stat()) }
}

const nothing: ReadListing = { listing: emptyListing, stats: undefined }

/** Collects the names that the service shows. */
class Names {
  private readonly all: string[] = []
  private readonly directories: string[] = []
  private byCodePoint = false
  /** Names with the character that stands for what could not be decoded, which may occur more than once. */
  private readonly doubtful = new Set<string>()

  /** @returns true at the end of the directory */
  readBlock(entries: Dir, directory: OpenDirectory): boolean {
    for (let count = 0; count < block; count++) {
      const entry = entries.readSync()
      if (entry === null) return true
      if (isVisibleName(entry.name)) this.add(entry, directory)
    }
    return false
  }

  /** What has been read, when it is no more than a block. */
  listing(): DirectoryListing {
    const { byCodePoint } = this
    const names = sortNames(this.all, byCodePoint)
    const marks = new Marks(names, sortNames(this.directories, byCodePoint))
    marks.setUpTo(names.length)
    return { names, directories: marks.marks, subtrees: sortNames(asSubtrees(this.directories), byCodePoint) }
  }

  /** What has been read, however much it is. */
  async listingOfMany(slice: TimeSlice): Promise<DirectoryListing> {
    const { byCodePoint } = this
    const names = await sortManyNames(this.all, byCodePoint, slice)
    const directories = await sortManyNames(this.directories, byCodePoint, slice)
    const subtrees = await sortManyNames(asSubtrees(directories), byCodePoint, slice)
    const marks = new Marks(names, directories)
    for (let end = marksAtOnce; end < names.length + marksAtOnce; end += marksAtOnce) {
      if (slice.shouldYield()) await slice.yield()
      marks.setUpTo(Math.min(end, names.length))
    }
    return { names, directories: marks.marks, subtrees }
  }

  private add(entry: Dirent, directory: OpenDirectory): void {
    const { name } = entry
    const isDoubtful = name.includes('\ufffd')
    if (isDoubtful && this.doubtful.has(name)) return
    if (isDoubtful) this.doubtful.add(name)
    // A doubtful name is only real when there is something of exactly this name.
    const kind = isDoubtful || hasNoKind(entry) ? kindOf(directory, name) : entry
    if (kind?.isDirectory() === true) this.directories.push(name)
    else if (kind?.isFile() !== true) return
    this.all.push(name)
    this.byCodePoint ||= needsCodePointOrder(name)
  }
}

/** Some file systems tell the kind of an entry only when asked for that alone. */
function hasNoKind(entry: Dirent): boolean {
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

function kindOf(
  directory: OpenDirectory,
  name: string,
): { isFile(): boolean; isDirectory(): boolean } | undefined {
  return unlessAbsent(() => lstatSync(`${directory.location}/${name}`))
}

const marksAtOnce = 20_000

/** Marks in sorted names those that are among sorted directories. */
class Marks {
  readonly marks: Uint8Array
  private index = 0
  private next = 0

  constructor(
    private readonly names: readonly string[],
    private readonly directories: readonly string[],
  ) {
    this.marks = new Uint8Array(names.length)
  }

  setUpTo(end: number): void {
    for (; this.index < end; this.index++) {
      if (this.names[this.index] !== this.directories[this.next]) continue
      this.marks[this.index] = 1
      this.next++
    }
  }
}

function asSubtrees(directories: readonly string[]): string[] {
  return directories.map((name) => `${name}/`)
}

/** True for a name that JavaScript's own order may put in another place than the order of keys does. */
function needsCodePointOrder(name: string): boolean {
  return surrogateOrAbove.test(name)
}

/**
 * Sorts names in place by code point.
 *
 * @param byCodePoint whether one of them {@link needsCodePointOrder}
 */
function sortNames(names: string[], byCodePoint: boolean): string[] {
  return byCodePoint ? names.sort(compareStrings) : names.sort()
}

/** The same for any number of names: gives others a turn in between. */
async function sortManyNames(
  names: readonly string[],
  byCodePoint: boolean,
  slice: TimeSlice,
): Promise<readonly string[]> {
  let parts: string[][] = []
  for (let start = 0; start < names.length; start += chunk) {
    if (slice.shouldYield()) await slice.yield()
    parts.push(sortNames(names.slice(start, start + chunk), byCodePoint))
  }
  while (parts.length > 1) {
    const merged: string[][] = []
    for (let index = 0; index < parts.length; index += 2) {
      merged.push(await merge(parts[index] ?? [], parts[index + 1] ?? [], byCodePoint, slice))
    }
    parts = merged
  }
  return parts[0] ?? []
}

async function merge(
  a: readonly string[],
  b: readonly string[],
  byCodePoint: boolean,
  slice: TimeSlice,
): Promise<string[]> {
  const merged = new Array<string>(a.length + b.length)
  let [i, j, next] = [0, 0, 0]
  let [left, right] = [a[i], b[j]]
  while (left !== undefined || right !== undefined) {
    if (next % chunk === 0 && slice.shouldYield()) await slice.yield()
    if (right === undefined || (left !== undefined && isBefore(left, right, byCodePoint))) {
      merged[next++] = left ?? ''
      left = a[++i]
    } else {
      merged[next++] = right
      right = b[++j]
    }
  }
  return merged
}

function isBefore(a: string, b: string, byCodePoint: boolean): boolean {
  return byCodePoint ? compareStrings(a, b) < 0 : a < b
}
