import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory in which there is little room, for as long as a spec runs. */
export interface SmallDisk {
  readonly root: string
  /** Shell commands that limit the disk space before a process starts. */
  readonly before: string
  /** The error code of the operating system when the disk is full. */
  readonly code: 'ENOSPC' | 'EFBIG'
  remove(): void
}

/** A disk of its own where one can be mounted; elsewhere the files of a process can only become so large. */
export function smallDisk(kilobytes: number): SmallDisk {
  const root = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const remove = (): void => {
    rmSync(root, { recursive: true })
  }
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', root], { stdio: 'ignore' })
  } catch {
    return { root, before: `ulimit -f ${kilobytes * 2}`, code: 'EFBIG', remove }
  }
  const unmount = (): void => {
    execFileSync('umount', [root])
    remove()
  }
  return { root, before: 'true', code: 'ENOSPC', remove: unmount }
}
