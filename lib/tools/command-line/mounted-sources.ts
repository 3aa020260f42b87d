import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { didYouMean } from '../../errors/suggestions.js'
import { UsageError } from './errors.js'

/** A source and the path of its service. */
export interface MountedSource {
  /** The path of a directory, a database or a metadata document, or the URL of a database. */
  readonly source: string
  /** The mount path without a trailing slash; empty for the root of the server. */
  readonly path: string
  /** The directory with the rows of a metadata document. */
  readonly data: string | undefined
}

/**
 * Parses sources such as `model.edmx` or `model.edmx=/sap/SALES`, and assigns data directories such as `./data` or
 * `./data=/sap/SALES` to them.
 *
 * @param persist true if changes are written to the directories
 * @throws UsageError
 */
export function parseMountedSources(
  words: readonly string[],
  directories: readonly string[],
  persist: boolean,
): readonly MountedSource[] {
  if (words.length === 0 || words.includes('')) throw new UsageError('Which source do you want to serve?')
  const named = words.map((word) => ({ word, ...split(word) }))
  const hasOneRoot = named.filter(({ path }) => path === undefined).length === 1
  const sources = hasOneRoot ? named : named.map((one) => ({ ...one, path: one.path ?? pathOf(one.name) }))
  sources.forEach(({ name, path = '', word }, index) => {
    const same = sources.slice(0, index).find((one) => (one.path ?? '') === path)
    if (same === undefined) return
    throw new UsageError(
      `'${same.word}' and '${word}' have the same path, '${path}/'. Append another one: ${name}=/path`,
    )
  })
  const dataByPath = new Map<string, string>()
  for (const word of directories) {
    const { name, path } = split(word)
    const [only, ...others] = sources
    const target = path ?? (others.length === 0 ? only?.path : undefined)
    const paths = sources.map((one) => one.path ?? '')
    if (path === undefined && others.length > 0)
      throw new UsageError(`Append the path of its service to --data: ${name}=${paths.find(Boolean) ?? '/'}`)
    if (!paths.includes(target ?? '')) {
      const known = paths.map((one) => (one === '' ? '/' : one))
      throw new UsageError(
        `--data ${word}: no source has the path '${target ?? ''}'.${didYouMean(target ?? '', known)}`,
      )
    }
    if (dataByPath.has(target ?? '')) throw new UsageError('Name only one --data for each source.')
    dataByPath.set(target ?? '', name)
  }
  const real = [...dataByPath.values()].map((one) => resolve(one))
  if (persist && new Set(real).size < real.length)
    throw new UsageError('With --persist, each source needs a --data directory of its own.')
  return sources.map(({ name, path = '' }) => ({ source: name, path, data: dataByPath.get(path) }))
}

/** Returns the path of a source that has none: `/sales` for `./data/sales.csv.gz`. */
function pathOf(source: string): string {
  const name = basename(source.replace(/[?#].*$/, '').replace(/^[a-z]+:(?!\\)/i, ''))
  return `/${encodeURIComponent(name.replace(/\.gz$/i, '').replace(/(.)\.[^.]*$/, '$1'))}`
}

/** Tests for a percent-encoded path that clients and proxies do not change: without the segments `.` and `..`. */
function isPath(path: string): boolean {
  return /^(?:\/(?!\.\.?(?:\/|$))(?:[\w.~!$&'()*+,;:@-]|%[\dA-Fa-f]{2})+)*$/.test(path)
}

/** Returns the name before the last `=/`, and the path after it without a trailing slash. */
function split(word: string): { readonly name: string; readonly path?: string } {
  const end = word.lastIndexOf('=/')
  // Names of files and parameters of database URLs can contain the separator: ?host=/var/run/postgresql
  if (end < 1 || /[?&][\w.-]*$/.test(word.slice(0, end)) || existsSync(word)) return { name: word }
  const path = word.slice(end + 1).replace(/\/$/, '')
  if (!isPath(path))
    throw new UsageError(`'${path}' must be a percent-encoded path such as /sap/opu/odata/sap/SALES.`)
  return { name: word.slice(0, end), path }
}
