/** The package under test: a copy, so that a build meanwhile does not change what is measured. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** @param built a folder that was built, with `esm` in it */
export function copyPackage(built, folder, name) {
  const copy = join(folder, name)
  mkdirSync(copy)
  cpSync(join(built, 'esm'), join(copy, 'esm'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  return copy
}

/** The names that a package exports. */
export async function exportsOf(copy) {
  return Object.keys(await import(pathToFileURL(join(copy, 'esm', 'index.js')).href))
}
