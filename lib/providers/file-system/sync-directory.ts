import fs, { closeSync, constants, openSync } from 'node:fs'
import { promisify } from 'node:util'
import type { OpenDirectory } from './open-directory.js'

const sync = promisify(fs.fsync)

/** Makes the names in a directory last. */
export async function syncDirectory({ location }: OpenDirectory): Promise<void> {
  const fd = openSync(location, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await sync(fd)
  } catch (error) {
    // Some file systems know no such thing.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    closeSync(fd)
  }
}
