import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CommandIo } from './command.js'
import { reasonOf, SourceError } from './faults.js'
import type { OptionRow } from './option-table.js'

/** The option of all commands that make a document. */
export const outputOption = {
  type: 'string',
  short: 'o',
  value: '<file>',
  text: 'where to write it; else it is printed',
} as const satisfies OptionRow

/** Writes what a command has made to a file, or prints it. @throws SourceError when it cannot be written */
export async function writeResult(text: string, file: string | undefined, io: CommandIo): Promise<void> {
  if (file === undefined || file === '-') {
    io.write(text)
    return
  }
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    throw new SourceError(`'${file}' cannot be written: ${reasonOf(error)}`)
  }
  io.complain(`Written to ${file}`)
}
