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

/** Where the operating system shows the open files of this process. */
const handles = '/proc/self/fd'

/**
 * Opens directories segment by segment, each through the handle of the one before. Whatever happens to names
 * meanwhile, a handle stays where it is: nothing needs to be checked afterwards, and nothing outside is ever touched.
 */
export class HandleDirectories implements DirectoryOpener {
  /** @param root absolute path of the root directory, without links */
  constructor(private readonly root: string) {}

  /** Whether the operating system can do this. */
  static work(root: string): boolean {
    if (!existsSync(handles)) return false
    const fd = openSync(root, directoryOnly)
    try {
      const through = statSync(`${handles}/${fd}/.`, { bigint: true })
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
    this.location = `${handles}/${fd}`
  }

  stat(): BigIntStats {
    return fstatSync(this.fd, { bigint: true })
  }

  information(): Stats {
    return fstatSync(this.fd)
  }

  reopen(): OpenDirectory {
    // Here the last link must be followed: it is the one from the handle to its directory.
    return new HandleDirectory(openSync(this.location, constants.O_RDONLY | constants.O_DIRECTORY))
  }

  isStillThere(): boolean {
    return true
  }

  holds(): boolean {
    return true
  }

  spells(name: string, file: Stats): boolean {
    return isSpeltSo(this.location, name, file)
  }

  close(): void {
    closeSync(this.fd)
  }
}

/**
 * Whether a file is really called what it was found under. Some file systems find files under other names too: in
 * upper or lower case, in another normal form of Unicode, or under a short name. Such a name is no key: two keys
 * would lead to one file, and one might lead past a filter of the application, or to a file that is hidden.
 *
 * @param location of the directory
 * @param name under which the file was found
 */
export function isSpeltSo(location: string, name: string, { ino, dev }: Stats): boolean {
  for (const variant of variantsOf(name)) {
    const other = unlessAbsent(() => lstatSync(`${location}/${variant}`, { throwIfNoEntry: false }))
    // Usually there is none. Where there is, it may be a link to the same file: only the directory can tell.
    if (other?.ino === ino && other.dev === dev) return isListed(location, name)
  }
  return true
}

/** What else the same name may be for a file system. */
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
