import { decode, splitPath } from './address.js'

/** The parts of a model that the page displays. */
export interface Model {
  readonly sets: readonly EntitySet[]
  readonly functions: readonly FunctionImport[]
  /** Entity types and complex types by qualified name. */
  readonly types: ReadonlyMap<string, StructuralType>
  readonly associations: readonly Association[]
  /** The formats of collections in `sap:supported-formats`. */
  readonly formats: readonly string[]
}

export interface NamedElement {
  readonly name: string
  /** The `sap:label`, or an empty string. */
  readonly label: string
  readonly documentation: string
  /** Attributes of foreign namespaces, such as `sap:filterable`. */
  readonly annotations: readonly (readonly [name: string, value: string])[]
}

export interface EntitySet extends NamedElement {
  /** The path segment of the set, unencoded. */
  readonly path: string
  readonly type: string
  /** Names of navigation properties, with the paths of their target sets. */
  readonly targets: ReadonlyMap<string, string>
}

export interface StructuralType extends NamedElement {
  readonly kind: 'EntityType' | 'ComplexType'
  readonly qualifiedName: string
  readonly baseType: string
  readonly isAbstract: boolean
  /** True if entities have a media resource. */
  readonly isMedia: boolean
  /** Includes the members of base types, like `properties` and `navigation`. */
  readonly keys: readonly string[]
  readonly properties: readonly Property[]
  readonly navigation: readonly NavigationProperty[]
}

export interface Property extends NamedElement {
  /** `Edm.String`, or the qualified name of a complex type. */
  readonly type: string
  readonly isNullable: boolean
  readonly isKey: boolean
  /** `MaxLength 40`, `Precision 19` */
  readonly facets: readonly string[]
  readonly mimeType: string
  /** Path of the property that describes the value, from `sap:text` or `Common.Text`; empty without one. */
  readonly text: string
  /** The accepted strings, from `Validation.AllowedValues`; empty if any is accepted. */
  readonly allowedValues: readonly string[]
  /** The set that lists the accepted values, from `Common.ValueList`. */
  readonly valueList: ValueList | undefined
}

interface ValueList {
  readonly set: string
  readonly parameters: readonly ListParameter[]
}

/** A property of an entity, and the property of a list from which its value is taken. */
export interface ListParameter {
  readonly own: string
  readonly listed: string
  /** True if the value of the entity restricts the list. */
  readonly isIn: boolean
  /** True if the value is taken from the chosen member of the list. */
  readonly isOut: boolean
}

export interface NavigationProperty extends NamedElement {
  readonly target: string
  readonly association: string
  readonly fromRole: string
  readonly toRole: string
  readonly multiplicity: string
}

export interface Association {
  readonly qualifiedName: string
  readonly ends: readonly [AssociationEnd, AssociationEnd]
  /** The role with the foreign key, and its properties with the keys that they refer to. */
  readonly dependent: string
  readonly foreignKey: readonly (readonly [own: string, referenced: string])[]
}

export interface AssociationEnd {
  readonly role: string
  readonly type: string
  readonly multiplicity: string
}

export interface FunctionImport extends NamedElement {
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** Empty for functions without a result. */
  readonly returnType: string
  readonly isCollection: boolean
  readonly set: string
  readonly parameters: readonly Parameter[]
}

interface Parameter {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
}

/** Returns the label and documentation of an element as sentences, without a label that only repeats the name. */
export function describe({ name, label, documentation }: NamedElement, defaultDocumentation = ''): string {
  // `Order Items` repeats `OrderItems`.
  const isRepeated = label.replace(/\W/g, '') === name.replace(/\W/g, '')
  return [isRepeated ? '' : label, documentation === '' ? defaultDocumentation : documentation]
    .filter((text) => text !== '')
    .map((text) => text.replace(/\.?$/, '.'))
    .join(' ')
}

/** Returns the name without its namespace. */
export function shortName(qualifiedName: string): string {
  return qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1)
}

/** Returns true if `$metadata` announces the query option `search` for a set. */
export function isSearchable(set: EntitySet | undefined): boolean {
  return set?.annotations.some(([name, value]) => name === 'sap:searchable' && value === 'true') === true
}

/** Returns true if the service groups the entities of a set by the properties of `$select`. */
export function isAnalytical(set: EntitySet | undefined): boolean {
  return set?.annotations.some(([name, value]) => name === 'sap:semantics' && value === 'aggregate') === true
}

export function setOf(model: Model, path: string): EntitySet | undefined {
  return model.sets.find((set) => set.path === path)
}

export function typeOf(model: Model, name: string | undefined): StructuralType | undefined {
  return name === undefined ? undefined : model.types.get(name)
}

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

/** An entity set whose entities are files and directories, with the names of their properties. */
export interface FileSet {
  readonly path: string
  readonly key: string
  readonly name: string
  readonly isDirectory: string
  readonly size: string | undefined
  readonly modified: string | undefined
  /** Navigation property to the entries of a directory. */
  readonly children: string
}

/**
 * Finds a set of files: media link entries with a string key, a name, a Boolean property for directories, and an
 * association between parent and children.
 */
export function findFileSet(model: Model): FileSet | undefined {
  for (const set of model.sets) {
    const type = typeOf(model, set.type)
    const properties = type === undefined ? undefined : filePropertiesOf(type)
    if (properties !== undefined) return { path: set.path, ...properties }
  }
  return undefined
}

function filePropertiesOf(type: StructuralType): Omit<FileSet, 'path'> | undefined {
  const find = (propertyType: RegExp, name: RegExp): string | undefined =>
    type.properties.find((one) => propertyType.test(one.type) && name.test(one.name))?.name
  const [key, ...otherKeys] = type.keys
  const isStringKey = type.properties.some((one) => one.name === key && one.type === 'Edm.String')
  const toSameType = type.navigation.filter(({ target }) => target === type.qualifiedName)
  const children = toSameType.find(({ multiplicity }) => multiplicity === '*')
  const hasParent = toSameType.some(
    ({ association, multiplicity }) => association === children?.association && multiplicity !== '*',
  )
  const name = find(/String/, /^(?:file)?name$/i)
  const isDirectory = find(/Boolean/, /director|folder/i)
  if (!type.isMedia || key === undefined || otherKeys.length > 0 || !isStringKey) return undefined
  if (children === undefined || !hasParent) return undefined
  if (name === undefined || isDirectory === undefined) return undefined
  return {
    key,
    name,
    isDirectory,
    size: find(/Int|Decimal/, /size|length/i),
    modified: find(/DateTime/, /modif|chang|updat/i),
    children: children.name,
  }
}
