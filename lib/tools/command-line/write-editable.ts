import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { CommandIo } from './command.js'
import { codeOf, reasonOf, SourceError } from './faults.js'
import type { OptionRow } from './option-table.js'
import { writeResult } from './write-result.js'

/** The option of commands that make what people go on writing. */
export const forceOption = {
  type: 'boolean',
  text: 'write over a file that has been changed since, or that is not of this command',
} as const satisfies OptionRow

const mark = /^\/\/ As made, until it is edited: ([\da-f]{16})\r?\n/

/**
 * Writes a TypeScript module that is there to be edited. Its first line says what the rest was when it was made: a
 * file that is still the same is written over, and any other only by force.
 *
 * @throws SourceError when there is a file that would be lost
 */
export async function writeEditable(
  text: string,
  file: string | undefined,
  force: boolean,
  io: CommandIo,
): Promise<void> {
  if (file === undefined || file === '-') {
    await writeResult(text, file, io)
    return
  }
  if (!force && !isAsMade(await textIn(file))) {
    throw new SourceError(
      `'${file}' has been edited, or was not made by this command. --force writes over it; --output names another file.`,
    )
  }
  await writeResult(`// As made, until it is edited: ${digestOf(text)}\n${text}`, file, io)
}

function isAsMade(text: string | undefined): boolean {
  if (text === undefined || text.trim() === '') return true
  const digest = mark.exec(text)?.[1]
  return digest !== undefined && digest === digestOf(text.replace(mark, ''))
}

/** Line ends are those of the system where files are checked out. */
function digestOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 16)
}

async function textIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    // Whatever else is wrong with it is said when it is written.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' || codeOf(error) === 'EISDIR')
      return undefined
    throw new SourceError(`'${file}' cannot be read: ${reasonOf(error)}`)
  }
}
