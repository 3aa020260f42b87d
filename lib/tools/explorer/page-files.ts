import { readFile } from 'node:fs/promises'
import { tagOf } from '../../http/conditional-requests.js'

/** A script or a style sheet of the page, as the build has made it. */
export interface PageFile {
  readonly name: 'explorer.js' | 'explorer.css'
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Another one for other bytes, safe in an address. */
  readonly version: string
}

let files: Promise<readonly PageFile[]> | undefined

/** The files of the page; they are read once. */
export function pageFiles(): Promise<readonly PageFile[]> {
  files ??= Promise.all([
    pageFile('explorer.js', 'text/javascript;charset=utf-8'),
    pageFile('explorer.css', 'text/css;charset=utf-8'),
  ]).catch((error: unknown) => {
    files = undefined
    throw error
  })
  return files
}

async function pageFile(name: PageFile['name'], contentType: string): Promise<PageFile> {
  const bytes = await readBuilt(name)
  return { name, contentType, bytes, version: tagOf(bytes).slice(1, -1) }
}

/** Where they stand from here: beside this module, in the other half of the package, and for specs where they were built. */
const places = ['.//', '../../../esm/tools/explorer/', '../../../dist/esm/tools/explorer/']

async function readBuilt(name: string): Promise<Uint8Array> {
  for (const place of places) {
    const bytes = await readFile(new URL(place + name, import.meta.url)).catch(() => undefined)
    if (bytes !== undefined) return bytes
  }
  throw new Error(`${name} of the explorer is missing: \`npm run build\` makes it.`)
}
