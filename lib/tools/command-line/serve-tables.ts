import type { Kysely } from 'kysely'
import type { SqlProviderOptions } from '../../sql.js'
import type { ServedSource } from './served-source.js'
import { SourceError } from './faults.js'
import type { KeysOfViews } from './view-keys.js'

/** Makes a service of the tables of a database, which is closed when that fails. @throws SourceError */
export async function serveTables(
  db: Kysely<unknown>,
  title: string,
  keys: KeysOfViews,
  options: SqlProviderOptions = {},
): Promise<ServedSource> {
  const { introspect, sqlProvider } = await import('../../sql.js')
  try {
    const notices: string[] = []
    const model = await introspect(db, {
      keys,
      onNotice: (notice) => notices.push(forCommandLine(notice)),
    })
    const provider = sqlProvider(model, db, options)
    await provider.ready()
    return { title, model, provider, notices, isChangeable: true, close: () => db.destroy() }
  } catch (error) {
    await db.destroy()
    // What the library says of a database needs no explanation.
    throw error instanceof TypeError
      ? new SourceError(`In ${title}: ${forCommandLine(error.message)}`)
      : error
  }
}

/** What the library advises those who write code, in the words of the command line. */
function forCommandLine(message: string): string {
  return message
    .replace(/^introspect: /, '')
    .replace(
      /Name its columns: keys: \{ '(.*)': \[.*$/,
      (_text, table: string) => `Name its columns: --key ${table}=<column>,...`,
    )
    .replace("Name keys in 'keys'.", 'Name one with --key <table>=<column>,...')
    .replace(/^'keys' names/, '--key names')
    .replace("Name them in 'schemas'.", 'Add ?options=-csearch_path%3D<schema> to the address.')
}

/** @throws SourceError with how an address is written */
export function databaseAddress(address: string, scheme: string): URL {
  try {
    return new URL(address)
  } catch {
    throw new SourceError(
      `The address of the database cannot be read. It is written ${scheme}://user:password@host/database, ` +
        'with other characters than letters and digits in percent-encoding.',
    )
  }
}
