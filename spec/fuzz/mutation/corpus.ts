import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Material } from './mutate.js'

/** Inputs in the folder of a parser, in the order of their names. */
export function readCorpus(folder: string, name: string): Material['corpus'] {
  const path = join(folder, name)
  const files = readdirSync(path).sort()
  const [first, ...others] = files.map((file) => readFileSync(join(path, file), 'latin1'))
  if (first === undefined) throw new Error(`The corpus '${name}' does not exist.`)
  return [first, ...others]
}
