import type { EdmModel } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { generatedResult } from '../mock/function-results.js'
import { generateData } from '../mock/generate-data.js'
import type { FunctionHandler, Provider } from '../../provider/provider.js'
import { openMemory } from '../../providers/memory/memory-provider.js'
import type { MemoryStore } from '../../providers/memory/memory-store.js'
import type { DirectoryRows } from './data-directory.js'
import { readDataDirectory } from './data-directory.js'
import { reasonOf, SourceError } from './faults.js'
import type { KnownFile } from './row-keeper.js'
import { RowKeeper } from './row-keeper.js'

/** What a metadata document is served with. */
export interface MockSettings {
  /** Directory of `<EntitySet>.json`. */
  readonly data: string | undefined
  /** Whether entity sets without a file get rows that are made up. Without a directory all do. */
  readonly generate: boolean
  /** How many rows are made up for an entity set; undefined for the default. */
  readonly rows: number | undefined
  readonly seed: string | undefined
  /** Whether changes are written to the directory. */
  readonly persist: boolean
  /** Whether files are read again when they change. */
  readonly watch: boolean
}

/** A mock while it is served. */
export interface LoadedMock {
  readonly provider: Provider
  readonly store: MemoryStore
  readonly given: DirectoryRows
  readonly keeper: RowKeeper | undefined
  /** Paths of entity sets whose rows are made up. */
  readonly generated: ReadonlySet<string>
}

const nothingGiven: DirectoryRows = { rows: {}, known: new Map(), notices: [] }

/**
 * Reads and makes up the rows of a model.
 *
 * @param file name of the metadata document, for messages
 * @throws SourceError
 */
export function loadMock(
  file: string,
  model: EdmModel,
  settings: MockSettings,
  functions: Readonly<Record<string, FunctionHandler>>,
  complain: (line: string) => void,
): LoadedMock {
  const { data, generate, rows, seed, persist } = settings
  const given = data === undefined ? nothingGiven : readDataDirectory(data, model)
  const generates = data === undefined || generate
  const all: Readonly<Record<string, readonly Row[]>> = generates
    ? generateData(model, { rows, seed, data: given.rows })
    : given.rows
  const generated = new Set(Object.keys(all).filter((path) => !Object.hasOwn(given.rows, path)))
  try {
    const opened: ReturnType<typeof openMemory> = openMemory(model, all, {
      functions: { ...generatedFunctions(model, (path) => opened.store.table(path).rows()), ...functions },
    })
    const { provider, store } = opened
    const known = new Map<string, KnownFile>(given.known)
    for (const path of generated) known.set(path, { tag: undefined, isOutdated: true })
    const keeper = data !== undefined && persist ? new RowKeeper(data, store, complain, known) : undefined
    return { provider, store, given, keeper, generated }
  } catch (error) {
    const fault = reasonOf(error).replace(
      'The data of the memory provider has',
      `The rows in ${data ?? file} have`,
    )
    throw new SourceError(fault)
  }
}

/** Every function import answers something that it could. */
function generatedFunctions(
  model: EdmModel,
  rowsOf: (path: string) => readonly Row[],
): Readonly<Record<string, FunctionHandler>> {
  const imports = model.entityContainers.flatMap(({ functionImports }) => functionImports)
  return Object.fromEntries(
    imports.map((one) => [
      one.path,
      (parameters: Row) =>
        generatedResult(one, parameters, one.entitySet === undefined ? [] : rowsOf(one.entitySet.path)),
    ]),
  )
}
