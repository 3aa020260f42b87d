import type { Annotatable } from './annotations.js'
import type { FeedMapping } from './feed-mapping.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'

/**
 * The model of a service: CSDL with every name resolved, frozen. Entity types, navigation properties and
 * associations refer to each other in circles, which is why they share this file.
 *
 * @spec MC-CSDL 2.1
 */
export interface EdmModel<Definition = unknown> extends Annotatable {
  readonly kind: 'EdmModel'
  /** Version that the metadata document declares. */
  readonly dataServiceVersion: '1.0' | '2.0' | '3.0'
  readonly schemas: readonly Schema[]
  /** The container whose entity sets are addressed without qualification. */
  readonly defaultContainer: EntityContainer
  readonly entityContainers: readonly EntityContainer[]
  /** By qualified name, `Namespace.Name`. */
  readonly entityTypes: ReadonlyMap<string, EntityType>
  readonly complexTypes: ReadonlyMap<string, ComplexType>
  readonly associations: ReadonlyMap<string, Association>
  /** What stands beside the schemas in the metadata document: attributes and elements of `DataServices`. */
  readonly dataServices: Annotatable
  /** Carries the literal type of the definition; never present at run time. */
  readonly definition?: Definition
}

/** What shares a namespace. @spec MC-CSDL 2.1.1 */
export interface Schema extends Annotatable {
  readonly namespace: string
  readonly alias?: string | undefined
  /** XML namespace the schema was read from; one of the versions of CSDL. */
  readonly xmlNamespace: string
  readonly usings: readonly Using[]
  readonly entityTypes: readonly EntityType[]
  readonly complexTypes: readonly ComplexType[]
  readonly associations: readonly Association[]
  readonly entityContainers: readonly EntityContainer[]
}

/** A schema that another one names its types of. */
export interface Using extends Annotatable {
  readonly namespace: string
  readonly alias: string
}

/** What entity types and complex types have in common. */
export interface StructuralType extends Annotatable {
  readonly name: string
  readonly namespace: string
  /** `Namespace.Name`, which is what JSON, Atom and `$filter` call the type. */
  readonly qualifiedName: string
  /** All properties, those of the base type first. */
  readonly properties: readonly Property[]
  /** Properties without those of the base type. */
  readonly declaredProperties: readonly Property[]
  /** Finds a property, inherited ones too. */
  property(name: string): Property | undefined
}

/** What the entities of a set are: properties, a key, and where they lead. @spec MC-CSDL 2.1.2 */
export interface EntityType extends StructuralType {
  readonly kind: 'EntityType'
  readonly baseType?: EntityType | undefined
  /** True when only entities of derived types exist. */
  readonly abstract: boolean
  /** True when the document declares it open; properties that are not declared are not served. */
  readonly openType: boolean
  /** True for a media link entry: every entity has a media resource. Inherited. */
  readonly hasStream: boolean
  /** True when `hasStream` is said of the type itself. */
  readonly declaresStream: boolean
  /** In the order of the key references, which is the order of key values. */
  readonly key: readonly Property[]
  /** All navigation properties, those of the base type first. */
  readonly navigationProperties: readonly NavigationProperty[]
  readonly declaredNavigationProperties: readonly NavigationProperty[]
  /** Direct and indirect, in the order of declaration. */
  readonly derivedTypes: readonly EntityType[]
  /** Properties whose values together are the version of an entity. */
  readonly concurrencyTokens: readonly Property[]
  /** Feed customizations of the type and of its properties, inherited ones first. */
  readonly feedMappings: readonly FeedMapping[]
  /** Feed customizations written on the type itself rather than on a property. */
  readonly declaredFeedMappings: readonly FeedMapping[]
  /** Finds a navigation property, inherited ones too. */
  navigationProperty(name: string): NavigationProperty | undefined
  /** True for the type itself and for every type derived from it. */
  isOrInherits(ancestor: EntityType): boolean
}

/** A named group of properties without key. @spec MC-CSDL 2.1.7 */
export interface ComplexType extends StructuralType {
  readonly kind: 'ComplexType'
  readonly baseType?: ComplexType | undefined
}

/** A simple or complex property. @spec MC-CSDL 2.1.3 */
export interface Property extends Annotatable {
  readonly kind: 'Property'
  readonly name: string
  readonly type: PrimitiveTypeName | ComplexType
  readonly nullable: boolean
  /** True when it is part of the key of its type. */
  readonly isKey: boolean
  /** The text of a value of its type, without quotes and suffix: `'0'`, `'2024-01-31T12:00:00'`. */
  readonly defaultValue?: string | undefined
  /** Characters of text, or bytes of Edm.Binary. */
  readonly maxLength?: number | 'Max' | undefined
  readonly fixedLength?: boolean | undefined
  readonly unicode?: boolean | undefined
  /** Digits of Edm.Decimal, or of fractions of seconds. */
  readonly precision?: number | undefined
  /** Digits of Edm.Decimal behind the point. */
  readonly scale?: number | undefined
  readonly collation?: string | undefined
  /** `Fixed` when it is part of the version of an entity, from which its ETag is made. */
  readonly concurrencyMode?: 'None' | 'Fixed' | undefined
  /** Of `$value` of the property. */
  readonly mimeType?: string | undefined
  /** Who makes the value: the provider when an entity is added, or at every change. */
  readonly storeGeneratedPattern?: 'None' | 'Identity' | 'Computed' | undefined
  /** Feed customizations written on the property; their source path starts with it. */
  readonly feedMappings: readonly FeedMapping[]
}

/** A way from entities of one type to those that are linked to them. @spec MC-CSDL 2.1.4 */
export interface NavigationProperty extends Annotatable {
  readonly kind: 'NavigationProperty'
  readonly name: string
  readonly association: Association
  readonly fromEnd: AssociationEnd
  readonly toEnd: AssociationEnd
  /** The type of the entities it leads to. */
  readonly targetType: EntityType
  /** True for multiplicity `*`. */
  readonly isCollection: boolean
  /** The navigation property of the target type that leads back over the same association, if there is one. */
  readonly partner: NavigationProperty | undefined
}

export const multiplicities = ['0..1', '1', '*'] as const

/** How many entities there can be at one end for one at the other. */
export type Multiplicity = (typeof multiplicities)[number]

/** How entities of two types are linked. @spec MC-CSDL 2.1.8 */
export interface Association extends Annotatable {
  readonly name: string
  readonly namespace: string
  readonly qualifiedName: string
  readonly ends: readonly [AssociationEnd, AssociationEnd]
  readonly referentialConstraint?: ReferentialConstraint | undefined
}

/** One of the two ends of an association. @spec MC-CSDL 2.1.9 */
export interface AssociationEnd extends Annotatable {
  readonly role: string
  readonly type: EntityType
  readonly multiplicity: Multiplicity
  /** `Cascade` when with an entity at this end those at the other one go. */
  readonly onDelete?: 'None' | 'Cascade' | undefined
}

/** A foreign key: the dependent properties hold the key of the principal. @spec MC-CSDL 2.1.11 */
export interface ReferentialConstraint extends Annotatable {
  readonly principal: AssociationEnd
  readonly principalProperties: readonly Property[]
  readonly dependent: AssociationEnd
  readonly dependentProperties: readonly Property[]
}

/** The entity sets, association sets and functions that clients can address. @spec MC-CSDL 2.1.14 */
export interface EntityContainer extends Annotatable {
  readonly name: string
  readonly namespace: string
  readonly qualifiedName: string
  readonly isDefault: boolean
  /** The container that this one adds to. */
  readonly extends?: string | undefined
  readonly entitySets: readonly EntitySet[]
  readonly associationSets: readonly AssociationSet[]
  readonly functionImports: readonly FunctionImport[]
  entitySet(name: string): EntitySet | undefined
  functionImport(name: string): FunctionImport | undefined
}

/** A named collection of entities. @spec MC-CSDL 2.1.17 */
export interface EntitySet extends Annotatable {
  readonly kind: 'EntitySet'
  readonly name: string
  /** Name of the container. */
  readonly container: string
  /** The name in addresses: qualified by the container unless that is the default one. */
  readonly path: string
  readonly entityType: EntityType
  /** The set that a navigation property leads to from here; undefined when no association set says so. */
  targetOf(navigation: NavigationProperty): EntitySet | undefined
}

/** The links of an association between two entity sets. @spec MC-CSDL 2.1.19 */
export interface AssociationSet extends Annotatable {
  readonly name: string
  readonly association: Association
  readonly ends: readonly [AssociationSetEnd, AssociationSetEnd]
}

/** Which entity set is at an end of an association set. @spec MC-CSDL 2.1.20 */
export interface AssociationSetEnd extends Annotatable {
  readonly role: string
  readonly entitySet: EntitySet
}

/** A service operation. @spec MC-CSDL 2.1.21 */
export interface FunctionImport extends Annotatable {
  readonly kind: 'FunctionImport'
  readonly name: string
  /** The name in addresses: qualified by the container unless that is the default one. */
  readonly path: string
  /** Undefined for a function without result. */
  readonly returnType: FunctionReturnType | undefined
  /** The set that returned entities belong to. */
  readonly entitySet: EntitySet | undefined
  /** Undefined when the function may be called by GET and by POST. */
  readonly httpMethod: 'GET' | 'POST' | undefined
  readonly parameters: readonly FunctionParameter[]
}

/** What a function returns. */
export interface FunctionReturnType {
  readonly type: PrimitiveTypeName | ComplexType | EntityType
  readonly isCollection: boolean
}

/** A parameter of a function, with the facets of its type. */
export interface FunctionParameter extends Annotatable {
  readonly name: string
  readonly type: PrimitiveTypeName
  readonly nullable: boolean
  readonly mode?: 'In' | 'Out' | 'InOut' | undefined
  readonly maxLength?: number | 'Max' | undefined
  readonly precision?: number | undefined
  readonly scale?: number | undefined
}

/** The name of any type, as it is written in EDMX. */
export function nameOfType(type: PrimitiveTypeName | ComplexType | EntityType): string {
  return isPrimitive(type) ? type : type.qualifiedName
}

/** True for a type of type `Edm.*`. */
export function isPrimitive(type: PrimitiveTypeName | ComplexType | EntityType): type is PrimitiveTypeName {
  return typeof type === 'string'
}

/** The entity set at an end of an association set. */
export function setInRole({ ends }: AssociationSet, role: string): EntitySet | undefined {
  return ends.find((end) => end.role === role)?.entitySet
}
