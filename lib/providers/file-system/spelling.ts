import type { Stats } from 'node:fs'
import { lstatSync, opendirSync } from 'node:fs'
import { unlessAbsent } from './open-directory.js'

/**
 * Whether a file is really called what it was found under. Some file systems find files under other names too: in
 * upper or lower case, in another normal form of Unicode, or under a short name. Such a name is no key: two keys
 * would lead to one file, and one might lead past a filter of the application, or to a file that is hidden.
 *
 * @param location of the directory
 * @param name under which the file was found
 */
export function isSpeltSo(location: string, name: string, { ino, dev }: Stats): boolean {
  for (const variant of variantsOf(name)) {
    const other = unlessAbsent(() => lstatSync(`${location}/${variant}`, { throwIfNoEntry: false }))
    // Usually there is none. Where there is, it may be a link to the same file: only the directory can tell.
    if (other?.ino === ino && other.dev === dev) return isListed(location, name)
  }
  return true
}

/** What else the same name may be for a file system. */
function variantsOf(name: string): readonly string[] {
  const swapped = name.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 0x20))
  if (!/[^\0-\x7f]/.test(name)) return swapped === name ? [] : [swapped]
  const variants = [
    swapped,
    name.toUpperCase(),
    name.toLowerCase(),
    name.normalize('NFC'),
    name.normalize('NFD'),
  ]
  return [...new Set(variants)].filter((variant) => variant !== name)
}

function isListed(location: string, name: string): boolean {
  const entries = opendirSync(location, { bufferSize: 1_024 })
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (entry.name === name) return true
    }
    return false
  } finally {
    entries.closeSync()
  }
}
