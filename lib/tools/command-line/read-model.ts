import { readFile } from 'node:fs/promises'
import { readEdmx } from '../../csdl/read-edmx.js'
import type { EdmModel } from '../../edm/edm-model.js'
import type { CommandIo } from './command.js'
import { SourceError, UsageError } from './errors.js'
import { reasonOf } from '../../util/thrown-error.js'
import type { FetchSettings } from './fetch-document.js'
import { decodeDocument, fetchMetadata, readBytes } from './fetch-document.js'
import type { OptionTable, OptionValues, ViewKeys } from './parse-args.js'
import { parseWholeNumber, keyOption, parseKeys } from './parse-args.js'
import { refuseKeys, serveDatabase, serveDirectory } from './open-source.js'
import { kindOfSource, titleOf } from './source-kind.js'
import { isModuleName, loadModel } from './modules/load-model.js'

/** Options of all commands that read the model of something. */
export const sourceOptions = {
  header: {
    type: 'string',
    multiple: true,
    value: "'<name>: <value>'",
    text: 'a header for requests to the service; can be repeated',
  },
  timeout: { type: 'string', value: '<seconds>', text: 'how long to wait for the service (default 30)' },
  key: keyOption,
} as const satisfies OptionTable

/** The kinds of sources, for the help of those commands. */
export const sourceHelp = `  model.edmx                     a metadata document; - reads it from standard input
  https://host/service/          the metadata document of a service, at this address or at its $metadata
  northwind.sqlite               the tables of an SQLite database
  postgres://user:password@host/database
                                 the tables of a PostgreSQL database; mysql://... of MySQL or MariaDB
  model.ts                       the model that a TypeScript or JavaScript module exports; the module is executed`

/** Settings for reading sources. */
interface SourceSettings extends FetchSettings {
  readonly keys: ViewKeys
}

/** @throws UsageError */
export function sourceSettings(values: OptionValues<typeof sourceOptions>): SourceSettings {
  return {
    headers: (values.header ?? []).map(headerOf),
    timeout: parseWholeNumber('--timeout', values.timeout, 86_400) ?? 30,
    keys: parseKeys('--key', values.key),
  }
}

function headerOf(text: string): [string, string] {
  const [, name = '', value = ''] = /^([^:\s]+)\s*:\s*(.*?)\s*$/s.exec(text) ?? []
  try {
    new Headers([[name, value]])
  } catch {
    throw new UsageError(`--header must be written '<name>: <value>', not '${text}'.`)
  }
  return [name, value]
}

/** A model, and the metadata document that it was read from, if any. */
interface ReadSource {
  readonly model: EdmModel
  readonly document?: string
}

/**
 * Reads the model of a metadata document in a file, on standard input (`-`) or at a URL, of a database, of a module, or
 * of the files of a directory.
 *
 * @throws SourceError
 */
export async function readModel(source: string, settings: SourceSettings, io: CommandIo): Promise<EdmModel> {
  return (await readSource(source, settings, io)).model
}

/** Reads a model together with its metadata document, if it has one. @throws SourceError */
export async function readSource(
  source: string,
  settings: SourceSettings,
  io: CommandIo,
): Promise<ReadSource> {
  if (isModuleName(source) && kindOfSource(source) === 'file') return { model: await loadModel(source) }
  const document = await readMetadata(source, settings, io)
  if (document === undefined) return { model: await modelOfData(source, settings, io) }
  try {
    const onNotice = (notice: string): void => {
      io.error(`${io.errorStyle.yellow('Note:')} ${notice}`)
    }
    return { model: readEdmx(document, { onNotice }), document }
  } catch (error) {
    throw new SourceError(`${titleOf(source)}: ${reasonOf(error)}`)
  }
}

/** Returns undefined for sources without a metadata document: databases and directories. */
async function readMetadata(
  source: string,
  settings: FetchSettings,
  io: CommandIo,
): Promise<string | undefined> {
  switch (kindOfSource(source)) {
    case 'input':
      return decodeDocument(await readBytes(io.input, titleOf(source)))
    case 'service':
      return fetchMetadata(source, settings, io)
    case 'file':
      return decodeDocument(
        await readFile(source).catch((error: unknown) => {
          throw new SourceError(reasonOf(error))
        }),
      )
    default:
      return undefined
  }
}

async function modelOfData(source: string, { keys }: SourceSettings, io: CommandIo): Promise<EdmModel> {
  const progress = io.progress(`Reading ${titleOf(source)} ...`)
  try {
    if (kindOfSource(source) === 'directory') {
      refuseKeys({ source, keys })
      return serveDirectory(source).model
    }
    const given = { writable: false, keys, invalidAsNull: false }
    const opened = await serveDatabase(source, given, () => undefined)
    await opened.close()
    progress.end()
    for (const notice of opened.notices) io.error(`${io.errorStyle.yellow('Note:')} ${notice}`)
    return opened.model
  } finally {
    progress.end()
  }
}
