import type { FileSet } from './file-set.js'
import type { Entity } from './payload.js'
import { showDate, showSize } from './values.js'

/** Size and time for people; empty where they are not known. */
export function factsOf(
  files: FileSet,
  entity: Entity,
): { readonly size: string; readonly modified: string } {
  const size = files.size === undefined ? null : entity[files.size]
  const modified = files.modified === undefined ? null : entity[files.modified]
  return {
    size: size === null || size === undefined ? '' : showSize(Number(size)),
    modified: typeof modified === 'string' ? showDate(modified).replace(/\.\d+$/, '') : '',
  }
}

export function fileAddress({ path: set }: FileSet, path: string): string {
  return `${encodeURIComponent(set)}('${encodeURIComponent(path.replaceAll("'", "''"))}')`
}
