import type { BigIntStats, Stats } from 'node:fs'
import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { DirectoryOpener, OpenDirectory } from './open-directory.js'
import { unlessAbsent } from './open-directory.js'

/**
 * Reaches directories by their paths, where the operating system has no way to reach them by their handles. Each is
 * looked at before and after it is used: it must be the same, and its path must lead over no link and be written
 * as the file system itself writes it.
 */
export class CheckedDirectories implements DirectoryOpener {
  /** @param root absolute path of the root directory, without links */
  constructor(private readonly root: string) {}

  openRoot(): OpenDirectory {
    const stats = lstatSync(this.root, { bigint: true })
    if (!stats.isDirectory()) throw new Error(`'${this.root}' is no directory any more.`)
    return new CheckedDirectory(this.root, stats)
  }

  openChild(parent: OpenDirectory, name: string): OpenDirectory | undefined {
    const location = join(parent.location, name)
    const stats = unlessAbsent(() => lstatSync(location, { bigint: true }))
    if (stats?.isDirectory() !== true) return undefined
    const directory = new CheckedDirectory(location, stats)
    return directory.isStillThere() ? directory : undefined
  }
}

class CheckedDirectory implements OpenDirectory {
  constructor(
    readonly location: string,
    private readonly found: BigIntStats,
  ) {}

  stat(): BigIntStats {
    return lstatSync(this.location, { bigint: true })
  }

  information(): Stats {
    return lstatSync(this.location)
  }

  reopen(): OpenDirectory {
    return this
  }

  isStillThere(): boolean {
    const now = unlessAbsent(() => lstatSync(this.location, { bigint: true }))
    if (now === undefined || !isSame(now, this.found) || !now.isDirectory()) return false
    return unlessAbsent(() => realpathSync.native(this.location)) === this.location
  }

  holds(name: string, file: BigIntStats): boolean {
    const now = unlessAbsent(() => lstatSync(join(this.location, name), { bigint: true }))
    return now !== undefined && isSame(now, file) && this.spells(name)
  }

  spells(name: string): boolean {
    const path = join(this.location, name)
    return unlessAbsent(() => realpathSync.native(path)) === path && this.isStillThere()
  }

  close(): void {
    // Nothing is held.
  }
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev
}
