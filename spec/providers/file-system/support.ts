import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { compareStrings } from '../../../lib/edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../../../lib/edm/primitive-types/primitive-type-name.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { Authorization } from '../../../lib/data/authorization.js'
import { DataReader } from '../../../lib/data/data-reader.js'
import type { EntitySetProvider, Provider, ReadQuery, Rows } from '../../../lib/provider/provider.js'
import { ProviderCalls } from '../../../lib/data/provider-calls.js'
import { CheckedDirectories, FileTree } from '../../../lib/providers/file-system/file-tree.js'
import { contentTypes } from '../../../lib/providers/file-system/file-provider-options.js'
import { FileEntitySet } from '../../../lib/providers/file-system/file-entity-set.js'
import { FileMedia } from '../../../lib/providers/file-system/file-media.js'
import { fileModel } from '../../../lib/providers/file-system/file-model.js'
import type { FileRow } from '../../../lib/providers/file-system/file-row.js'
import { HandleDirectories } from '../../../lib/providers/file-system/handle-directories.js'
import type { OrderByTerm, PropertyPath } from '../../../lib/query/expression.js'
import { callWith } from '../../support/provider-call.js'

const made: string[] = []

/** A new directory, which is removed after the last test of the file. */
export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'file-service-')))
  made.push(directory)
  return directory
}

afterAll(() => {
  // Node.js cannot remove directories whose paths are longer than the system accepts.
  if (made.length > 0) execFileSync('rm', ['-rf', '--', ...made.splice(0)])
})

/** Writes a file with its directories. */
export function write(root: string, path: string, bytes: string | Uint8Array = ''): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  return file
}

/**
 * Waits until listings are cached: the provider caches none of a directory whose mtime or ctime is less than 100 ms old.
 * This wait cannot be avoided, since no system call sets a ctime. It may take longer on a slow machine.
 */
export async function settle(): Promise<void> {
  await delay(110)
}

/** The ways to open directories. */
export const ways = [
  ['by handles', HandleDirectories],
  ['by checked paths', CheckedDirectories],
] as const

export type Way = (typeof ways)[number][1]

export function filesOf(
  root: string,
  Directories: Way = HandleDirectories,
  times = false,
): FileEntitySet<FileMedia> {
  const tree = new FileTree(new Directories(root), times)
  return new FileEntitySet(tree, new FileMedia(tree, contentTypes()))
}

/** A call that is never aborted. */
export const call = { signal: new AbortController().signal }

export function providerOf(files: EntitySetProvider<FileRow, { readonly path: unknown }>): Provider {
  return { entitySets: { Files: files } }
}

/** All rows of a response in one array. */
export async function collect(response: Rows<FileRow> | Promise<Rows<FileRow>>): Promise<FileRow[]> {
  const rows: FileRow[] = []
  const batches = await response
  if (Array.isArray(batches)) return [...batches]
  for await (const batch of batches as AsyncIterable<readonly FileRow[]>) rows.push(...batch)
  return rows
}

/** A property in an expression. */
export function pathTo(name: string): PropertyPath {
  const property = fileModel.defaultContainer.entitySet('Files')?.entityType.property(name)
  if (property === undefined) throw new Error(`There is no ${name}.`)
  return { kind: 'PropertyPath', steps: [], property, type: property.type as PrimitiveTypeName }
}

/** The order of the key, and the opposite. */
export function byPath(descending = false): readonly OrderByTerm[] {
  return [{ expression: pathTo('path'), descending }]
}

export async function pathsOf(files: FileEntitySet, query: Partial<ReadQuery> = {}): Promise<string[]> {
  const rows = await collect(files.read({ entitySet: 'Files', orderBy: byPath(), ...query }, callWith()))
  return rows.map(({ path }) => path)
}

export function navigationOf(name: 'Files' | 'Parent', model: EdmModel = fileModel) {
  const navigation = model.defaultContainer.entitySet('Files')?.entityType.navigationProperty(name)
  if (navigation === undefined) throw new Error(`There is no ${name}.`)
  return navigation
}

/** The expected entities below a directory, found without the provider. */
export function bruteForce(root: string): string[] {
  const paths = ['/']
  const walk = (directory: string, prefix: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const { name } = entry
      if (name.startsWith('.') || name.includes('\\') || !(entry.isFile() || entry.isDirectory())) continue
      paths.push(prefix + name)
      if (entry.isDirectory()) walk(join(directory, name), `${prefix}${name}/`)
    }
  }
  walk(root, '/')
  return paths.sort(compareStrings)
}

export function accessTo(provider: Provider, pageSize = Number.POSITIVE_INFINITY): DataReader {
  return new DataReader(new ProviderCalls(provider, callWith()), {
    authorization: new Authorization(fileModel, undefined),
    limits: {
      scannedRows: 1_000_000,
      sortedRows: 1_000_000,
      expandedRows: 1_000_000,
      groups: 100_000,
      exportRows: 1_000_000,
    },
    pageSize: () => pageSize,
  })
}

/** The number of open handles of this process. */
export function openHandles(): number {
  return readdirSync('/proc/self/fd').length
}
