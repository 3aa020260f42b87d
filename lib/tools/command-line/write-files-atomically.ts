import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { SourceError } from './errors.js'
import { reasonOf } from '../../util/thrown-error.js'

/** Lists the files of an unfinished write. The leading dot hides it. */
const listName = '.unfinished.json'

/**
 * Writes several files of a directory atomically: after a crash, either all of them have the new content or none. All
 * temporary files are complete before the first is renamed; {@link completeInterruptedWrite} finishes the renames.
 *
 * @param contents by the name of the file
 */
export function writeFilesAtomically(directory: string, contents: ReadonlyMap<string, string>): void {
  for (const [name, content] of contents) writeThrough(join(directory, temporary(name)), content)
  const names = [...contents.keys()]
  if (names.length > 1) {
    writeThrough(join(directory, temporary(listName)), JSON.stringify(names))
    // This rename commits the write.
    renameSync(join(directory, temporary(listName)), join(directory, listName))
  }
  syncDirectory(directory)
  for (const name of names) renameSync(join(directory, temporary(name)), join(directory, name))
  syncDirectory(directory)
  if (names.length > 1) rmSync(join(directory, listName), { force: true })
}

/** Finishes the write of an earlier process that crashed. @throws SourceError if its list of files cannot be read */
export function completeInterruptedWrite(directory: string): void {
  const list = join(directory, listName)
  if (!existsSync(list)) return
  for (const name of namesIn(list)) {
    const from = join(directory, temporary(basename(name)))
    if (existsSync(from)) renameSync(from, join(directory, basename(name)))
  }
  syncDirectory(directory)
  rmSync(list, { force: true })
}

function namesIn(list: string): string[] {
  try {
    const names: unknown = JSON.parse(readFileSync(list, 'utf8'))
    return Array.isArray(names) ? names.map(String) : []
  } catch (error) {
    throw new SourceError(
      `${list}, the list of an interrupted write, cannot be read: ${reasonOf(error)}. Compare each file with its '.new' version, and delete the list.`,
    )
  }
}

function temporary(name: string): string {
  return `.${name}.new`
}

function writeThrough(path: string, content: string): void {
  const file = openSync(path, 'w')
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Flushes renames to disk. Some systems cannot open directories. */
function syncDirectory(directory: string): void {
  try {
    const handle = openSync(directory, 'r')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch {
    // The contents are flushed already; the system flushes the names later.
  }
}
