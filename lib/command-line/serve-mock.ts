import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEdmx } from '../csdl/read-edmx.js'
import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import type { Row } from '../evaluation/row.js'
import { parseJson } from '../formats/json/parse-json.js'
import { memoryProvider } from '../providers/memory/memory-provider.js'
import { rowsOfDocument } from './json-rows.js'
import type { ServedSource } from './served-source.js'
import { codeOf, reasonOf, SourceError } from './faults.js'

/** A metadata document as a service in memory. @param data directory of `<EntitySet>.json` @throws SourceError */
export function serveMock(file: string, data: string | undefined): ServedSource {
  const model = modelIn(file)
  const notices: string[] = []
  const rows = data === undefined ? {} : rowsIn(data, model, notices)
  if (data === undefined)
    notices.push('There are no rows: name the directory with <EntitySet>.json by --data.')
  try {
    return {
      title: `the model ${file}`,
      model,
      provider: memoryProvider(model, rows),
      notices,
      close: () => Promise.resolve(),
    }
  } catch (error) {
    const fault = reasonOf(error).replace(
      'The data of the memory provider has',
      `The rows in ${data ?? file} have`,
    )
    throw new SourceError(fault)
  }
}

function modelIn(file: string): EdmModel {
  const text = textOf(file)
  try {
    return readEdmx(text)
  } catch (error) {
    throw new SourceError(`${file}: ${reasonOf(error)}`)
  }
}

function rowsIn(directory: string, model: EdmModel, notices: string[]): Record<string, readonly Row[]> {
  const sets = new Map(
    model.entityContainers.flatMap(({ entitySets }) => entitySets.map((set) => [set.path, set] as const)),
  )
  const rows: Record<string, readonly Row[]> = {}
  for (const file of filesIn(directory)) {
    const name = file.slice(0, -'.json'.length)
    const set = sets.get(name)
    if (set === undefined) {
      notices.push(
        `${join(directory, file)} is not used: there is no entity set '${name}'.${didYouMean(name, sets.keys())}`,
      )
    } else rows[name] = rowsInFile(join(directory, file), set)
  }
  return rows
}

function rowsInFile(file: string, set: EntitySet): readonly Row[] {
  const text = textOf(file)
  if (text.trim() === '') throw new SourceError(`${file}: is empty. Write [] where there are no rows.`)
  try {
    const rows = rowsOfDocument(parseJson(text), set)
    if (rows !== undefined) return rows
  } catch (error) {
    throw new SourceError(placed(file, text, error))
  }
  throw new SourceError(
    `${file}: must hold an array of rows, or what a service of version 2 answers: { "d": ... }.`,
  )
}

/** The fault with line and column, as editors understand them. */
function placed(file: string, text: string, error: unknown): string {
  const position = error instanceof ODataError ? (error.details.position ?? 0) : 0
  const before = text.slice(0, position).split('\n')
  const line = text.split('\n')[before.length - 1] ?? ''
  const column = (before.at(-1)?.length ?? 0) + 1
  const [message = ''] = reasonOf(error).split(' At position')
  const fault = message.replace('The body is not JSON: ', '')
  return `${file}:${String(before.length)}:${String(column)}: ${fault}\n  ${line.trimEnd()}\n  ${' '.repeat(column - 1)}^`
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SourceError(codeOf(error) === 'ENOENT' ? `There is no file '${file}'.` : reasonOf(error))
  }
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .sort()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') throw new SourceError(`There is no directory '${directory}' (--data).`)
    throw new SourceError(code === 'ENOTDIR' ? `'${directory}' (--data) is no directory.` : reasonOf(error))
  }
}
