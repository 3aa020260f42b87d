import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { definitionOf } from '../../../csdl/definition-of-model.js'
import { printModel } from '../../../csdl/print-model.js'
import { defineModel } from '../../../edm/define-model.js'
import type { EdmModel } from '../../../edm/edm-model.js'
import type { ModelDefinition } from '../../../edm/model-definition.js'
import { truncate } from '../../../util/describe-value.js'
import type { CommandIo } from '../command.js'
import { writeResult } from '../command.js'
import { SourceError } from '../errors.js'
import { codeOf, reasonOf } from '../../../util/thrown-error.js'
import { loadModel } from './load-model.js'
import type { Conflict } from './merge-definitions.js'
import { isEqual, mergeDefinitions, withChange } from './merge-definitions.js'
import { updateSource } from './update-source.js'

/** The first line of a generated module, also in the wording of earlier versions. */
const mark = /^\/\/ (?:Unedited while this hash matches|As made, until it is edited): ([\da-f]{16})\r?\n/

/** The last line of a generated module: the definition that was imported, compressed. */
const baseLine = /^\/\/ Imported model, to keep edits in the next import: ([\w+/=]+)[ \t]*$/m

/**
 * Writes a model as a TypeScript module that users edit. The first line contains a hash of the rest: an unedited file is
 * overwritten. The last line contains the imported definition: in an edited file, only the parts that have changed since
 * then are updated.
 *
 * @param header the comment above the model
 * @param force overwrite an edited file
 * @throws SourceError for a file that `import` has not written, and for edits that cannot be preserved
 */
export async function writeModule(
  model: EdmModel,
  header: string,
  file: string | undefined,
  force: boolean,
  io: CommandIo,
): Promise<void> {
  if (file === undefined || file === '-') {
    await writeResult(header + printModel(model), file, io)
    return
  }
  const text = `${header}${printModel(model)}\n${baseOf(model)}\n`
  const existing = force ? undefined : await textIn(file)
  if (existing === undefined || isUnedited(existing))
    await writeResult(`// Unedited while this hash matches: ${digestOf(text)}\n${text}`, file, io)
  else await updateModule(existing, model, file, io)
}

/** Updates an edited module. */
async function updateModule(text: string, model: EdmModel, file: string, io: CommandIo): Promise<void> {
  const base = importedDefinition(text)
  if (base === undefined) {
    throw new SourceError(
      `'${file}' has been edited, or was not created by this command, and does not contain the imported model in its ` +
        'last line. Use --force to overwrite it, or --output to name another file.',
    )
  }
  const mine = definitionOf(await loadModel(file))
  const { change, conflicts } = mergeDefinitions({ base, mine, next: definitionOf(model) })
  refuseFor(conflicts.map(describeConflict), file)
  const updated = change === undefined ? { text, problems: [] } : updateSource(text, change, mine)
  refuseFor(updated.problems, file)
  const result = updated.text.replace(baseLine, () => baseOf(model))
  if (change !== undefined) await verify(result, withChange(mine, change), file)
  if (result === text) io.error(`${file} is up to date.`)
  else await writeResult(result, file, io)
}

/** @throws SourceError if a module does not define the expected model */
async function verify(text: string, expected: unknown, file: string): Promise<void> {
  const extension = extname(file)
  const name = `.${basename(file, extension)}.${String(process.pid)}${extension}`
  const temporary = join(dirname(file), name)
  let problem: string
  try {
    await writeFile(temporary, text)
    if (isEqual(definitionOf(await loadModel(temporary)), expected)) return
    problem = 'its code defines another model after the update'
  } catch (error) {
    problem = reasonOf(error).replaceAll(name, basename(file))
  } finally {
    await rm(temporary, { force: true })
  }
  refuseFor([problem], file)
}

/** @throws SourceError if there are problems */
function refuseFor(problems: readonly string[], file: string): void {
  if (problems.length === 0) return
  throw new SourceError(
    `'${file}' was not changed, because edits would be lost:\n${problems.map((one) => `  ${one}\n`).join('')}` +
      'Change these parts of the module and import again, or use --force to overwrite all edits.',
  )
}

function describeConflict({ path, base, mine, next }: Conflict): string {
  const [before, edited, imported] = [base, mine, next].map((value) =>
    value === undefined
      ? 'nothing'
      : truncate(typeof value === 'function' ? 'a function' : JSON.stringify(value), 60),
  )
  return `${path.join('.')}: imported as ${before ?? ''}, edited to ${edited ?? ''}, now ${imported ?? ''}`
}

function baseOf(model: EdmModel): string {
  const bytes = deflateRawSync(JSON.stringify(definitionOf(model)), { level: 9 })
  return `// Imported model, to keep edits in the next import: ${bytes.toString('base64')}`
}

/** Returns the definition that a module contains in its last line, as this version of the package defines it. */
function importedDefinition(text: string): ModelDefinition | undefined {
  const [, base] = baseLine.exec(text) ?? []
  if (base === undefined) return undefined
  try {
    const definition = inflateRawSync(Buffer.from(base, 'base64'))
    return definitionOf(defineModel(JSON.parse(definition.toString()) as ModelDefinition))
  } catch {
    return undefined
  }
}

function isUnedited(text: string): boolean {
  if (text.trim() === '') return true
  const digest = mark.exec(text)?.[1]
  return digest !== undefined && digest === digestOf(text.replace(mark, ''))
}

/** Returns the digest of a file without regard to line ends, which Git may convert when it checks out the file. */
function digestOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 16)
}

async function textIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    // Other problems are reported when the file is written.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' || codeOf(error) === 'EISDIR')
      return undefined
    throw new SourceError(`'${file}' cannot be read: ${reasonOf(error)}`)
  }
}
