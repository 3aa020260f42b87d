import type { DatabaseSource } from '../../providers/sql/open-database/database-source.js'
import {
  nameOfDatabase,
  parseDatabaseSource,
  requirements,
} from '../../providers/sql/open-database/database-source.js'
import { optionalPackage } from '../../providers/sql/open-database/driver.js'
import type { ServedSource } from './served-source.js'
import { reasonOf, SourceError } from './faults.js'
import type { ServeArguments } from './serve-arguments.js'

/**
 * Opens a database and serves its tables.
 *
 * @param source a URL, or the name of an SQLite file
 * @param complain called for each invalid value that is served as null
 * @throws SourceError
 */
export async function serveDatabase(
  source: string,
  {
    writable,
    keys,
    invalidAsNull = false,
  }: Pick<ServeArguments, 'writable' | 'keys'> & Partial<Pick<ServeArguments, 'invalidAsNull'>>,
  complain: (line: string) => void,
): Promise<ServedSource> {
  const parsed = parsedSource(source)
  const title = `the database ${nameOfDatabase(parsed)}`
  const notices: string[] = []
  let isOpen = false
  try {
    const { packages, purpose } = requirements[parsed.kind]
    // This part of the package imports kysely.
    const { openDatabase } = await optionalPackage(() => import('../../sql.js'), packages, purpose)
    const { model, provider, close } = await openDatabase(source, {
      keys,
      readOnly: !writable,
      ...(invalidAsNull ? { invalidValues: 'null' } : {}),
      onNotice: (notice) => {
        if (isOpen) complain(notice)
        else notices.push(forCommandLine(notice))
      },
    })
    isOpen = true
    return { title, model, provider, notices, isChangeable: true, close }
  } catch (error) {
    const reason = forCommandLine(reasonOf(error))
    throw new SourceError(error instanceof TypeError ? `In ${title}: ${reason}` : reason)
  }
}

function parsedSource(source: string): DatabaseSource {
  try {
    return parseDatabaseSource(source)
  } catch (error) {
    throw new SourceError(reasonOf(error))
  }
}

/** Replaces what the library advises in code by options of the command line. */
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
