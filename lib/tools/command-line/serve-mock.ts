import { readEdmx } from '../../csdl/read-edmx.js'
import type { EdmModel } from '../../edm/edm-model.js'
import type { FunctionHandler } from '../../provider/provider.js'
import { functionsIn, makeDataDirectory, textOf } from './data-directory.js'
import { reasonOf, SourceError } from './faults.js'
import type { LoadedMock, MockSettings } from './load-mock.js'
import { loadMock } from './load-mock.js'
import { watchedRows } from './reloaded-rows.js'
import type { ServedSource } from './served-source.js'
import { finishWriting } from './whole-files.js'

/**
 * A metadata document as a service in memory.
 *
 * @param complain is told of what goes wrong while it is served
 * @throws SourceError
 */
export async function serveMock(
  file: string,
  settings: MockSettings,
  complain: (line: string) => void,
): Promise<ServedSource> {
  const { data, persist, watch } = settings
  if (data === undefined && (persist || watch))
    throw new SourceError(`${persist ? '--persist' : '--watch'} needs a directory: --data ./data`)
  const left: string[] = []
  const model = modelIn(file, (notice) => left.push(notice))
  if (data !== undefined && persist) {
    makeDataDirectory(data)
    finishWriting(data)
  }
  const functions = data === undefined ? {} : await functionsIn(data, model)
  const load = (): LoadedMock => loadMock(file, model, settings, functions, complain)
  const loaded = load()
  await loaded.keeper?.save(loaded.generated)
  const common = {
    title: `the model ${file}`,
    model,
    provider: loaded.provider,
    isChangeable: true,
    notices: [...left, ...noticesOf(loaded, model, settings, functions)],
  }
  if (data !== undefined && watch) return { ...common, ...watchedRows(data, loaded, load, complain) }
  return { ...common, close: async () => loaded.keeper?.end() }
}

function modelIn(file: string, onNotice: (notice: string) => void): EdmModel {
  const text = textOf(file)
  try {
    return readEdmx(text, { onNotice })
  } catch (error) {
    throw new SourceError(`${file}: ${reasonOf(error)}`)
  }
}

function noticesOf(
  { given, generated, store }: LoadedMock,
  model: EdmModel,
  { data, persist }: MockSettings,
  functions: Readonly<Record<string, FunctionHandler>>,
): readonly string[] {
  const notices = [...given.notices]
  const sets = [...store.tables.values()]
  const made = sets.filter(({ path, size }) => generated.has(path) && size > 0)
  const empty = sets.filter(({ path, size }) => generated.has(path) && size === 0)
  const missing = sets.filter(({ path }) => !generated.has(path) && !given.known.has(path))
  const counts = made.map(({ path, size }) => `${path} (${String(size)})`).join(', ')
  if (data === undefined)
    notices.push(
      `All rows are made up. To serve your own, name the directory with <EntitySet>.json by --data.`,
    )
  else if (made.length > 0) notices.push(`These rows are made up: ${counts}.`)
  if (empty.length > 0)
    notices.push(
      `There are no made up rows for ${namesOf(empty)}: none are wanted, or they need rows that there are not.`,
    )
  if (missing.length > 0) notices.push(`There are no rows for ${namesOf(missing)}. --generate makes some up.`)
  const unwritten = model.entityContainers
    .flatMap(({ functionImports }) => functionImports)
    .filter(({ path }) => !Object.hasOwn(functions, path))
  if (unwritten.length > 0)
    notices.push(
      `The answers of ${namesOf(unwritten)} are made up; functions.mjs beside the rows can export functions.`,
    )
  if (data !== undefined && persist) notices.push(`Changes are written to ${data}.`)
  return notices
}

function namesOf(elements: readonly { readonly path: string }[]): string {
  const names = elements.slice(0, 5).map(({ path }) => path)
  const more = elements.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${String(more)} more` : '')
}
