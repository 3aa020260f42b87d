import type { EntitySet, FunctionImport, Model, StructuralType } from './model.js'
import { setOf, typeOf } from './model.js'

/** What an address below the service root leads to, as far as the model tells. */
export interface Resource {
  readonly kind: 'collection' | 'entity' | 'function' | 'other'
  readonly type: StructuralType | undefined
  readonly set: EntitySet | undefined
  readonly functionImport: FunctionImport | undefined
}

/** Cuts a path at slashes that are not within quotes; the segments stay as they are. */
export function segmentsOf(path: string): string[] {
  const segments = ['']
  let isQuoted = false
  for (const [character] of path.replaceAll('%27', "'").matchAll(/[^]/gu)) {
    if (character === "'") isQuoted = !isQuoted
    if (character === '/' && !isQuoted) segments.push('')
    else segments[segments.length - 1] += character
  }
  return segments.filter((segment) => segment !== '')
}

/** Finds out what a path means. */
export function resourceOf(model: Model, path: string): Resource {
  const other: Resource = { kind: 'other', type: undefined, set: undefined, functionImport: undefined }
  const [first, ...rest] = segmentsOf(path)
  if (first === undefined) return other
  const start = named(first)
  const functionImport = model.functions.find((one) => one.path === start.name)
  if (functionImport !== undefined && rest.length === 0) {
    const set = setOf(model, functionImport.set)
    return { kind: 'function', type: typeOf(model, functionImport.returnType), set, functionImport }
  }
  let set = setOf(model, functionImport?.set ?? start.name)
  let type = typeOf(model, set?.type)
  if (type === undefined) return other
  let isCollection =
    functionImport === undefined ? !start.hasKey : functionImport.isCollection && !start.hasKey
  for (const segment of rest) {
    const { name, hasKey } = named(segment)
    const navigation: StructuralType['navigation'][number] | undefined = isCollection
      ? undefined
      : type.navigation.find((one) => one.name === name)
    const target: StructuralType | undefined = typeOf(model, navigation?.target)
    if (navigation === undefined || target === undefined) return { ...other, set, type }
    set = setOf(model, set?.targets.get(name) ?? '')
    type = target
    isCollection = navigation.multiplicity === '*' && !hasKey
  }
  return { kind: isCollection ? 'collection' : 'entity', type, set, functionImport: undefined }
}

function named(segment: string): { name: string; hasKey: boolean } {
  const bracket = segment.indexOf('(')
  const name = decoded(bracket < 0 ? segment : segment.slice(0, bracket))
  return { name, hasKey: bracket >= 0 && !segment.endsWith('()') }
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
