import { watch } from 'node:fs'
import { join } from 'node:path'
import { readEdmx } from '../../csdl/read-edmx.js'
import { withInferredConstraints } from '../../csdl/inferred-constraints.js'
import type { EdmModel } from '../../edm/edm-model.js'
import { functionImportsOf } from '../../edm/edm-model.js'
import type { FunctionHandler, Provider } from '../../provider/provider.js'
import { loadFunctions, createDataDirectory, textOf, readDataDirectory } from './data-directory.js'
import { SourceError } from './errors.js'
import { reasonOf } from '../../util/thrown-error.js'
import type { ServedSource, ReplaceProvider } from './served-source.js'
import { withStringKeys } from './generate-string-keys.js'
import { completeInterruptedWrite } from './write-files-atomically.js'
import type { Row } from '../../evaluation/row.js'
import { generatedResult, generateRows } from '../mock/generate-data.js'
import { openMemory } from '../../providers/memory/memory-provider.js'
import type { MemoryStore } from '../../providers/memory/memory-store.js'
import type { DirectoryRows } from './data-directory.js'
import type { KnownFile } from './row-persister.js'
import { RowPersister, hashOnDisk } from './row-persister.js'

/**
 * Serves a metadata document from memory, with rows from files or generated rows.
 *
 * @param warn called for problems while the source is served
 * @param onProgress called with the part of the rows, between 0 and 1, that is generated
 * @throws SourceError
 */
export async function serveMock(
  file: string,
  settings: MockSettings,
  warn: (line: string) => void,
  onProgress: (done: number) => void,
): Promise<ServedSource> {
  const { data, persist, watch } = settings
  if (data === undefined && (persist || watch))
    throw new SourceError(`${persist ? '--persist' : '--watch'} needs a directory: --data ./data`)
  const left: string[] = []
  const model = modelIn(file, { onNotice: (notice) => left.push(notice), generateEtags: settings.etags })
  if (data !== undefined && persist) {
    createDataDirectory(data)
    completeInterruptedWrite(data)
  }
  const functions = data === undefined ? {} : await loadFunctions(data, model)
  const load = (): LoadedMock => loadMock(file, model, settings, functions, warn)
  const loaded = loadMock(file, model, settings, functions, warn, onProgress)
  await loaded.persister?.save(loaded.generated)
  const common = {
    title: `the model ${file}`,
    model,
    provider: loaded.provider,
    isChangeable: true,
    notices: [...left, ...noticesOf(loaded, model, settings, functions)],
  }
  if (data !== undefined && watch) return { ...common, ...watchRows(data, loaded, load, warn) }
  return { ...common, close: async () => loaded.persister?.end() }
}

function modelIn(file: string, options: Parameters<typeof readEdmx>[1]): EdmModel {
  const text = textOf(file)
  try {
    return withInferredConstraints(readEdmx(text, options))
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
  const sets = store.tables
  const made = sets.filter(({ path, size }) => generated.has(path) && size > 0)
  const empty = sets.filter(({ path, size }) => generated.has(path) && size === 0)
  const missing = sets.filter(({ path }) => !generated.has(path) && !given.known.has(path))
  const counts = made.map(({ path, size }) => `${path} (${String(size)})`).join(', ')
  if (data === undefined)
    notices.push(
      `All rows are generated. To serve your own, add --data with a directory of <EntitySet>.json files.`,
    )
  else if (made.length > 0) notices.push(`Generated rows: ${counts}.`)
  if (empty.length > 0)
    notices.push(
      `No rows were generated for ${namesOf(empty)}: --rows is 0, or the rows that they refer to do not exist.`,
    )
  if (missing.length > 0)
    notices.push(`There are no rows for ${namesOf(missing)}. Use --generate to create some.`)
  const unwritten = functionImportsOf(model).filter(({ path }) => !Object.hasOwn(functions, path))
  if (unwritten.length > 0)
    notices.push(
      `The results of ${namesOf(unwritten)} are generated. To implement functions, export them from ${data ?? '<directory>'}/functions.mjs.`,
    )
  if (data !== undefined && persist) notices.push(`Changes are written to ${data}.`)
  return notices
}

function namesOf(elements: readonly { readonly path: string }[]): string {
  const names = elements.slice(0, 5).map(({ path }) => path)
  const more = elements.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${String(more)} more` : '')
}

/** Settings for serving a metadata document. */
export interface MockSettings {
  /** Directory of `<EntitySet>.json`. */
  readonly data: string | undefined
  /** True if rows are generated for entity sets without a file. Without a directory they always are. */
  readonly generate: boolean
  /** Number of rows to generate for an entity set; undefined for the default. */
  readonly rows: number | undefined
  readonly seed: string | undefined
  /** True if entities have ETags even if the document has no ConcurrencyMode. */
  readonly etags: boolean
  /** True if changes are written to the directory. */
  readonly persist: boolean
  /** True if files are reloaded when they change. */
  readonly watch: boolean
}

/** The provider of a mock and the state that is needed to save and reload it. */
interface LoadedMock {
  readonly provider: Provider
  readonly store: MemoryStore
  readonly given: DirectoryRows
  readonly persister: RowPersister | undefined
  /** Paths of entity sets with generated rows. */
  readonly generated: ReadonlySet<string>
}

const nothingGiven: DirectoryRows = { rows: {}, known: new Map(), notices: [] }

/**
 * Reads and generates the rows of a model.
 *
 * @param file name of the metadata document, for messages
 * @throws SourceError
 */
function loadMock(
  file: string,
  model: EdmModel,
  settings: MockSettings,
  functions: Readonly<Record<string, FunctionHandler>>,
  warn: (line: string) => void,
  onProgress?: (done: number) => void,
): LoadedMock {
  const { data, generate, rows, seed, persist } = settings
  const given = data === undefined ? nothingGiven : readDataDirectory(data, model, persist)
  const generates = data === undefined || generate
  const all: Readonly<Record<string, readonly Row[]>> = generates
    ? generateRows(model, { rows, seed, data: given.rows }, onProgress)
    : given.rows
  const generated = new Set(Object.keys(all).filter((path) => !Object.hasOwn(given.rows, path)))
  try {
    const opened: ReturnType<typeof openMemory> = openMemory(model, all, {
      functions: { ...generatedFunctions(model, (path) => opened.store.table(path).rows()), ...functions },
    })
    const { store } = opened
    const provider = withStringKeys(opened.provider, store)
    const known = new Map<string, KnownFile>(given.known)
    for (const path of generated) known.set(path, { hash: undefined, mustRewrite: true })
    const persister = data !== undefined && persist ? new RowPersister(data, store, warn, known) : undefined
    return { provider, store, given, persister, generated }
  } catch (error) {
    const reason = reasonOf(error).replace(
      'The data of the memory provider has',
      `The rows in ${data ?? file} have`,
    )
    // A misspelt key is one of the ignored members.
    throw new SourceError([reason, ...given.notices].join('\n'))
  }
}

/** Handlers that return a possible result for every function import. */
function generatedFunctions(
  model: EdmModel,
  rowsOf: (path: string) => readonly Row[],
): Readonly<Record<string, FunctionHandler>> {
  return Object.fromEntries(
    functionImportsOf(model).map((one) => [
      one.path,
      (parameters: Row) =>
        generatedResult(one, parameters, one.entitySet === undefined ? [] : rowsOf(one.entitySet.path)),
    ]),
  )
}

/** Editors save files in several steps, which are handled as one change. */
const RELOAD_DELAY_MS = 150

/**
 * Reloads the rows of a directory when a file changes that this service did not write. Files that cannot be read are
 * reported, and the rows stay unchanged.
 */
function watchRows(
  directory: string,
  first: LoadedMock,
  load: () => LoadedMock,
  warn: (line: string) => void,
): Pick<ServedSource, 'onReload' | 'close'> {
  let current = first
  let exchange: ReplaceProvider | undefined
  let timer: NodeJS.Timeout | undefined
  let reloading = Promise.resolve()
  const loadNext = async (): Promise<Provider> => {
    await current.persister?.save()
    const next = load()
    await current.persister?.end()
    current = next
    return next.provider
  }
  const reload = async (): Promise<void> => {
    const changed = changedSets(directory, current)
    if (changed.length === 0) return
    try {
      await exchange?.(loadNext)
      warn(`Reloaded: ${changed.map((name) => `${name}.json`).join(', ')}`)
    } catch (error) {
      warn(`The rows were not reloaded. ${reasonOf(error)}`)
    }
  }
  const watcher = watch(directory, () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      reloading = reloading.then(reload)
    }, RELOAD_DELAY_MS)
  })
  watcher.on('error', (error) => {
    warn(`${directory} is no longer watched: ${reasonOf(error)}`)
  })
  return {
    onReload: (given) => {
      exchange = given
    },
    close: async () => {
      clearTimeout(timer)
      watcher.close()
      await reloading
      await current.persister?.end()
    },
  }
}

function changedSets(directory: string, { store, given, persister }: LoadedMock): string[] {
  return store.paths.filter((path) => {
    const known = persister === undefined ? given.known.get(path)?.hash : persister.hashOf(path)
    return hashOnDisk(join(directory, `${path}.json`)) !== known
  })
}
