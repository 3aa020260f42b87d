import { codeOf, reasonOf, SourceError } from './faults.js'

/**
 * Loads what only some sources need.
 *
 * @param load imports it
 * @param packages what must be installed for that
 * @param purpose what it is needed for: `To serve an SQLite database`
 * @throws SourceError saying what to install
 */
export async function optionalPackage<Module>(
  load: () => Promise<Module>,
  packages: readonly string[],
  purpose: string,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error
    const missing = packages.find((name) => reasonOf(error).includes(`'${name}'`))
    // Something else is missing, which is not for the caller to install.
    if (missing === undefined) throw error
    throw new SourceError(
      `${purpose}, '${missing}' must be installed beside express-odata-v2: npm install ${packages.join(' ')}`,
    )
  }
}
