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
import { reasonOf, SourceError } from './errors.js'

/** Names what is yet to be put in place. A leading dot keeps it out of sight. */
const listName = '.unfinished.json'

/**
 * Writes files of a directory so that, whatever happens in between, either all have their new content or none: each is
 * complete under another name before the first takes its place, and what was interrupted is finished by
 * {@link completeInterruptedWrite}.
 *
 * @param contents by the name of the file
 */
export function writeFilesAtomically(directory: string, contents: ReadonlyMap<string, string>): void {
  for (const [name, content] of contents) writeThrough(join(directory, temporary(name)), content)
  const names = [...contents.keys()]
  if (names.length > 1) {
    writeThrough(join(directory, temporary(listName)), JSON.stringify(names))
    // From here on the changes are made.
    renameSync(join(directory, temporary(listName)), join(directory, listName))
  }
  syncDirectory(directory)
  for (const name of names) renameSync(join(directory, temporary(name)), join(directory, name))
  syncDirectory(directory)
  if (names.length > 1) rmSync(join(directory, listName), { force: true })
}

/** Puts in place what an earlier run could not. @throws SourceError when what it has left cannot be read */
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
      `${list} names files that were being written, and cannot be read: ${reasonOf(error)}. See whether each of them is as it should be beside its '.new', and delete it.`,
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

/** Names last only when the directory is written. Some systems cannot open one. */
function syncDirectory(directory: string): void {
  try {
    const handle = openSync(directory, 'r')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch {
    // What is in the files is safe; the names follow when the system writes them.
  }
}
