import type { Kysely } from 'kysely'
import type { CachedDatabase } from '../dialects/sqlite/cache-statements.js'
import type { SourceFormat } from '../dialects/source-format.js'
import type { DriverPool } from '../cancellation/driver-pool.js'

/** An open database. */
interface Connected {
  readonly db: Kysely<unknown>
  /** For the option `sqlite` of `sqlProvider`. */
  readonly sqlite?: CachedDatabase
  /** For the option `pool` of `sqlProvider`. */
  readonly pool?: DriverPool
}

/** The options of `openDatabase` for drivers. */
export interface DriverOptions {
  readonly readOnly: boolean
  /** The name of the driver, for databases with several. */
  readonly driver: string | undefined
  readonly prepareStatements: boolean
  /** The maximum number of open cursors. */
  readonly cursors: number
  /** The memory of the database, with its unit. */
  readonly memoryLimit?: string | undefined
  /** The number of threads of the database. */
  readonly threads?: number | undefined
  /** Called with the finished part of a statement, between 0 and 1. */
  readonly onProgress?: ((done: number) => void) | undefined
}

/** A database that can be opened. */
export interface Driver {
  /** @throws Error when a package is missing, or an error of the driver */
  readonly connect: () => Promise<Connected>
  /** Describes an error of the driver: what is wrong and what to change. */
  readonly describeError: (error: unknown) => string
}

/** Returns the purpose of the packages of a database, for {@link optionalPackage}. */
export function purposeOf({ database }: SourceFormat): string {
  return `To open ${database}`
}

/** Thrown if a package is not installed. The message names the packages to install. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError'
}

/**
 * Loads a package that the application installs.
 *
 * @param load imports it
 * @param packages all packages that the purpose needs, for the command in the message
 * @param purpose for instance `To open an SQLite database`
 * @throws MissingPackageError
 */
export async function optionalPackage<Module>(
  load: () => Promise<Module>,
  packages: readonly string[],
  purpose: string,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const missing = missingPackage(error, packages)
    if (missing === undefined) throw error
    throw new MissingPackageError(`${purpose}, install '${missing}': npm install ${packages.join(' ')}`, {
      cause: error,
    })
  }
}

/**
 * Returns the package that could not be found; undefined for other errors, and for packages that the application does
 * not install.
 */
export function missingPackage(error: unknown, packages: readonly string[]): string | undefined {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined
  return packages.find((name) => String(message).includes(`'${name}'`))
}
