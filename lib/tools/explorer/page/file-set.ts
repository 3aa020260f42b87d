import type { Model, NavigationProperty, StructuralType } from './model.js'
import { typeOf } from './model.js'

/** An entity set whose entities are files and directories, with the properties that say what. */
export interface FileSet {
  readonly path: string
  readonly key: string
  readonly name: string
  readonly isDirectory: string
  readonly size: string | undefined
  readonly modified: string | undefined
  /** Navigation property to what is in a directory. */
  readonly children: string
}

/**
 * Looks for a set of files: media link entries with one key of text, linked with each other from parent to children, and
 * a property that says which of them are directories.
 */
export function fileSetOf(model: Model): FileSet | undefined {
  for (const set of model.sets) {
    const type = typeOf(model, set.type)
    const found = type === undefined ? undefined : fileType(type)
    if (found !== undefined) return { path: set.path, ...found }
  }
  return undefined
}

function fileType(type: StructuralType): Omit<FileSet, 'path'> | undefined {
  const [key] = type.keys
  const own = type.navigation.filter(({ target }) => target === type.qualifiedName)
  const children = own.find(({ multiplicity }) => multiplicity === '*')
  const isPair = (one: NavigationProperty): boolean =>
    one.association === children?.association && one.multiplicity !== '*'
  const property = (kind: RegExp, name: RegExp): string | undefined =>
    type.properties.find((one) => kind.test(one.type) && name.test(one.name))?.name
  const name = property(/String/, /^(?:file)?name$/i)
  const isDirectory = property(/Boolean/, /director|folder/i)
  const isKeyText = type.properties.some((one) => one.name === key && one.type === 'Edm.String')
  if (!type.isMedia || key === undefined || type.keys.length !== 1 || !isKeyText) return undefined
  if (children === undefined || !own.some(isPair) || name === undefined || isDirectory === undefined)
    return undefined
  return {
    key,
    name,
    isDirectory,
    size: property(/Int|Decimal/, /size|length/i),
    modified: property(/DateTime/, /modif|chang|updat/i),
    children: children.name,
  }
}
