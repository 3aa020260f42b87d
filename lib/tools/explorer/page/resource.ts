import { decode, splitPath } from './address.js'
import type { EntitySet, FunctionImport, Model, StructuralType } from './model.js'
import { setOf, typeOf } from './model.js'

/** The resource that a path addresses, as far as the model shows it. */
export interface Resource {
  readonly kind: 'collection' | 'entity' | 'function' | 'other'
  readonly type?: StructuralType | undefined
  readonly set?: EntitySet | undefined
  readonly functionImport?: FunctionImport | undefined
}

export function resourceOf(model: Model, path: string): Resource {
  const [first, ...rest] = splitPath(path).map(parseSegment)
  if (first === undefined) return { kind: 'other' }
  const functionImport = model.functions.find((one) => one.path === first.name)
  if (functionImport !== undefined && rest.length === 0) {
    const type = typeOf(model, functionImport.returnType)
    return { kind: 'function', type, set: setOf(model, functionImport.set), functionImport }
  }
  let set = setOf(model, functionImport?.set ?? first.name)
  let type = typeOf(model, set?.type)
  let isCollection = (functionImport?.isCollection ?? true) && !first.hasKey
  if (type === undefined) return { kind: 'other' }
  for (const { name, hasKey } of rest) {
    const navigation: StructuralType['navigation'][number] | undefined = isCollection
      ? undefined
      : type.navigation.find((one) => one.name === name)
    const target: StructuralType | undefined = typeOf(model, navigation?.target)
    if (navigation === undefined || target === undefined) return { kind: 'other', set, type }
    set = setOf(model, set?.targets.get(name) ?? '')
    type = target
    isCollection = navigation.multiplicity === '*' && !hasKey
  }
  return { kind: isCollection ? 'collection' : 'entity', type, set }
}

function parseSegment(segment: string): { readonly name: string; readonly hasKey: boolean } {
  const [name = ''] = segment.split('(')
  return { name: decode(name), hasKey: segment.includes('(') && !segment.endsWith('()') }
}
