import { readFile } from 'node:fs/promises'

/** The version of the package that this file is part of, whether it is built or not. */
export async function versionOfPackage(): Promise<string> {
  for (let directory = new URL('.', import.meta.url); ; directory = new URL('..', directory)) {
    const file = new URL('package.json', directory)
    const { name, version } = (await readFile(file, 'utf8').then(JSON.parse, () => ({}))) as {
      readonly name?: string
      readonly version?: string
    }
    if (name === 'express-odata-v2' && version !== undefined) return version
    if (directory.pathname === '/') return 'unknown'
  }
}
