import { nearest } from '../../errors/suggestions.js'
import { primitiveTypeNames } from '../primitive-types/primitive-type-name.js'

const prefix = 'Edm.'
const shortNames = primitiveTypeNames.map((name) => name.slice(prefix.length))

/** A hint for the name of a simple type that was not found, be it misspelt or without its prefix. */
export function suggestPrimitiveType(name: string): string {
  // The prefix is the same for all: it must not make strangers look alike.
  const best = nearest(name.replace(/^edm\./i, ''), shortNames)
  return best === undefined ? '' : ` Did you mean '${prefix}${best}'?`
}
