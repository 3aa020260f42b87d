/** The model of a service as the page needs it: names, types and how they hang together. */
export interface Model {
  readonly title: string
  readonly sets: readonly EntitySet[]
  readonly functions: readonly FunctionImport[]
  /** Entity types and complex types by their qualified names. */
  readonly types: ReadonlyMap<string, StructuralType>
  readonly associations: readonly Association[]
}

export interface Described {
  /** What the model calls it for people; empty when it does not. */
  readonly label: string
  readonly documentation: string
  /** Attributes of foreign namespaces, such as `sap:filterable`. */
  readonly annotations: readonly (readonly [name: string, value: string])[]
}

export interface EntitySet extends Described {
  readonly name: string
  /** As it stands in an address, not yet encoded. */
  readonly path: string
  readonly type: string
  /** Navigation property, by name, to the set that it leads to. */
  readonly targets: ReadonlyMap<string, string>
}

export interface StructuralType extends Described {
  readonly kind: 'EntityType' | 'ComplexType'
  readonly name: string
  readonly qualifiedName: string
  readonly baseType: string
  readonly isAbstract: boolean
  /** Its entities have a media resource. */
  readonly isMedia: boolean
  /** Those of base types come first, as in what follows. */
  readonly keys: readonly string[]
  readonly properties: readonly Property[]
  readonly navigation: readonly NavigationProperty[]
}

export interface Property extends Described {
  readonly name: string
  /** `Edm.String`, or the qualified name of a complex type. */
  readonly type: string
  readonly isNullable: boolean
  readonly isKey: boolean
  /** `MaxLength 40`, `Precision 19` */
  readonly facets: readonly string[]
  readonly mimeType: string
}

export interface NavigationProperty extends Described {
  readonly name: string
  readonly target: string
  readonly association: string
  readonly fromRole: string
  readonly toRole: string
  readonly multiplicity: string
}

export interface Association {
  readonly qualifiedName: string
  readonly ends: readonly [AssociationEnd, AssociationEnd]
}

export interface AssociationEnd {
  readonly role: string
  readonly type: string
  readonly multiplicity: string
}

export interface FunctionImport extends Described {
  readonly name: string
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** Empty when nothing is returned. */
  readonly returnType: string
  readonly isCollection: boolean
  readonly set: string
  readonly parameters: readonly Parameter[]
}

export interface Parameter {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
}

/** What is said of something in sentences, without what its name says already. */
export function aboutText(name: string, ...texts: readonly (string | undefined)[]): string {
  const said = texts.filter((text) => text !== undefined && text !== '' && text !== name)
  return said.map((text) => `${text ?? ''}`.replace(/\.?$/, '.')).join(' ')
}

/** `NorthwindModel.Product` as people say it. */
export function shortName(qualifiedName: string): string {
  return qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1)
}

export function setOf(model: Model, path: string): EntitySet | undefined {
  return model.sets.find((set) => set.path === path)
}

export function typeOf(model: Model, name: string | undefined): StructuralType | undefined {
  return name === undefined ? undefined : model.types.get(name)
}
