import type { BigIntStats, Stats } from 'node:fs'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  statSync,
  lstatSync,
  opendirSync,
} from 'node:fs'
import type { DirectoryOpener, OpenDirectory } from './open-directory.js'
import { unlessAbsent } from './open-directory.js'

const directoryOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** The open files of this process. */
const HANDLES = '/proc/self/fd'

/**
 * Opens directories segment by segment, each by the handle of its parent. A handle always refers to the same directory,
 * whatever happens to names: no checks are needed afterwards, and nothing outside of the root can be reached.
 */
export class HandleDirectories implements DirectoryOpener {
  /** @param root absolute path of the root directory, without links */
  constructor(private readonly root: string) {}

  /** Returns true if the operating system supports opening directories by handle. */
  static areSupported(root: string): boolean {
    if (!existsSync(HANDLES)) return false
    const fd = openSync(root, directoryOnly)
    try {
      const through = statSync(`${HANDLES}/${fd}/.`, { bigint: true })
      const own = fstatSync(fd, { bigint: true })
      return through.ino === own.ino && through.dev === own.dev
    } catch {
      return false
    } finally {
      closeSync(fd)
    }
  }

  openRoot(): OpenDirectory {
    return new HandleDirectory(openSync(this.root, directoryOnly))
  }

  openChild(parent: OpenDirectory, name: string): OpenDirectory | undefined {
    return unlessAbsent(() => new HandleDirectory(openSync(`${parent.location}/${name}`, directoryOnly)))
  }
}

class HandleDirectory implements OpenDirectory {
  readonly location: string

  constructor(private readonly fd: number) {
    this.location = `${HANDLES}/${fd}`
  }

  stat(): BigIntStats {
    return fstatSync(this.fd, { bigint: true })
  }

  information(): Stats {
    return fstatSync(this.fd)
  }

  reopen(): OpenDirectory {
    // The link of the handle to its directory must be followed.
    return new HandleDirectory(openSync(this.location, constants.O_RDONLY | constants.O_DIRECTORY))
  }

  isStillThere(): boolean {
    return true
  }

  holds(): boolean {
    return true
  }

  spells(name: string, file: Stats): boolean {
    return hasExactName(this.location, name, file)
  }

  close(): void {
    closeSync(this.fd)
  }
}

/**
 * Returns true if a file that was found under a name has exactly this name. Some file systems also find files by another
 * case, another Unicode normalization form, or a short name. Such names could bypass a filter or reveal a hidden file.
 *
 * @param location of the directory
 */
export function hasExactName(location: string, name: string, { ino, dev }: Stats): boolean {
  for (const variant of variantsOf(name)) {
    const other = unlessAbsent(() => lstatSync(`${location}/${variant}`, { throwIfNoEntry: false }))
    // Usually it does not exist. It can also be a hard link, so that the directory has to be read.
    if (other?.ino === ino && other.dev === dev) return isListed(location, name)
  }
  return true
}

/** Returns the names that a file system may treat as equal. */
function variantsOf(name: string): readonly string[] {
  const swapped = name.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 0x20))
  if (!/[^\0-\x7f]/.test(name)) return swapped === name ? [] : [swapped]
  const variants = [
    swapped,
    name.toUpperCase(),
    name.toLowerCase(),
    name.normalize('NFC'),
    name.normalize('NFD'),
  ]
  return [...new Set(variants)].filter((variant) => variant !== name)
}

function isListed(location: string, name: string): boolean {
  const entries = opendirSync(location, { bufferSize: 1_024 })
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (entry.name === name) return true
    }
    return false
  } finally {
    entries.closeSync()
  }
}
