import type { BigIntStats, Stats } from 'node:fs'
import { closeSync, constants, existsSync, fstatSync, openSync, statSync } from 'node:fs'
import type { DirectoryOpener, OpenDirectory } from './open-directory.js'
import { unlessAbsent } from './open-directory.js'
import { isSpeltSo } from './spelling.js'

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
