import type { Annotations, Documentation } from './annotations.js'
import type { Multiplicity } from './edm-model.js'
import type { FeedContentKind } from './feed-mapping.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'

/**
 * A model as data: CSDL with objects instead of elements. Names of types and associations may stand alone when
 * they belong to the same schema, else qualified by a namespace or alias.
 *
 * Either the members of one schema, or `schemas` for several.
 */
export interface ModelDefinition extends Partial<SchemaDefinition> {
  /** What the metadata document declares. Default '2.0' when a feed customization needs it, else '1.0'. */
  readonly dataServiceVersion?: '1.0' | '2.0' | '3.0'
  /** Several schemas, instead of the members of one. */
  readonly schemas?: readonly SchemaDefinition[]
  /** What the element `DataServices` of the metadata document carries. */
  readonly dataServices?: AnnotatedDefinition
  /** What its outermost element carries. */
  readonly edmx?: AnnotatedDefinition
}

/** Documentation and foreign annotations, which every element may carry. */
export interface AnnotatedDefinition {
  readonly documentation?: Documentation
  readonly annotations?: Partial<Annotations>
}

/** @spec MC-CSDL 2.1.1 */
export interface SchemaDefinition extends AnnotatedDefinition {
  readonly namespace: string
  readonly alias?: string
  readonly xmlNamespace?: string
  readonly usings?: readonly (AnnotatedDefinition & { readonly namespace: string; readonly alias: string })[]
  readonly entityTypes?: Readonly<Record<string, EntityTypeDefinition>>
  readonly complexTypes?: Readonly<Record<string, ComplexTypeDefinition>>
  readonly associations?: Readonly<Record<string, AssociationDefinition>>
  /** The only container of the schema; it is the default one. Default name: `Container`. */
  readonly entityContainer?: EntityContainerDefinition & { readonly name?: string }
  /** Several containers by name. */
  readonly entityContainers?: Readonly<Record<string, EntityContainerDefinition>>
}

/** @spec MC-CSDL 2.1.2 */
export interface EntityTypeDefinition extends AnnotatedDefinition {
  /** Names of the key properties in the order of the key values; a derived type has none of its own. */
  readonly key?: readonly string[]
  readonly baseType?: string
  readonly abstract?: boolean
  readonly openType?: boolean
  readonly hasStream?: boolean
  readonly properties?: Readonly<Record<string, PropertyDefinition>>
  readonly navigationProperties?: Readonly<Record<string, NavigationPropertyDefinition>>
  /** Feed customizations of inherited properties and of members of complex properties. */
  readonly feedMappings?: readonly (FeedMappingDefinition & { readonly sourcePath: string })[]
}

/** @spec MC-CSDL 2.1.7 */
export interface ComplexTypeDefinition extends AnnotatedDefinition {
  /** The complex type from which properties are inherited. */
  readonly baseType?: string
  readonly properties: Readonly<Record<string, PropertyDefinition>>
}

/** Facets of a property. */
export interface Facets extends AnnotatedDefinition {
  /** Default true, for key properties false. */
  readonly nullable?: boolean
  readonly defaultValue?: string
  readonly maxLength?: number | 'Max'
  readonly fixedLength?: boolean
  readonly unicode?: boolean
  readonly precision?: number
  readonly scale?: number
  readonly collation?: string
  /** `Fixed`: the value is part of the ETag. */
  readonly concurrencyMode?: 'None' | 'Fixed'
  readonly mimeType?: string
  readonly storeGeneratedPattern?: 'None' | 'Identity' | 'Computed'
  /** A feed customization of this property, or several for the members of a complex one. */
  readonly syndication?: FeedMappingDefinition | readonly FeedMappingDefinition[]
}

/** @spec MC-CSDL 2.1.3 */
export interface PropertyDefinition extends Facets {
  /** `Edm.String` and the like, or the name of a complex type. */
  readonly type: PrimitiveTypeName | (string & {})
}

/** @spec MS-ODATA 2.2.3.7.2.1 */
export interface FeedMappingDefinition {
  /** A syndication target such as `SyndicationTitle`, or a path of elements for which `namespaceUri` is needed. */
  readonly target: string
  /** Path to the property; on a property the path from there, which only a complex one needs. */
  readonly sourcePath?: string
  readonly contentKind?: FeedContentKind
  readonly keepInContent?: boolean
  readonly namespaceUri?: string
  readonly namespacePrefix?: string
}

/** @spec MC-CSDL 2.1.4 */
export interface NavigationPropertyDefinition extends AnnotatedDefinition {
  /** Name of the association. */
  readonly relationship: string
  readonly fromRole: string
  readonly toRole: string
}

/** @spec MC-CSDL 2.1.8 */
export interface AssociationDefinition extends AnnotatedDefinition {
  /** Two ends by their role. */
  readonly ends: Readonly<Record<string, AssociationEndDefinition>>
  readonly referentialConstraint?: AnnotatedDefinition & {
    readonly principal: ConstraintRoleDefinition
    readonly dependent: ConstraintRoleDefinition
  }
}

export interface AssociationEndDefinition extends AnnotatedDefinition {
  readonly type: string
  readonly multiplicity: Multiplicity
  readonly onDelete?: 'None' | 'Cascade'
}

export interface ConstraintRoleDefinition {
  readonly role: string
  readonly properties: readonly string[]
}

/** @spec MC-CSDL 2.1.14 */
export interface EntityContainerDefinition extends AnnotatedDefinition {
  /** True for exactly one container of a model that has several. */
  readonly default?: boolean
  readonly extends?: string
  readonly entitySets?: Readonly<Record<string, EntitySetDefinition>>
  readonly associationSets?: Readonly<Record<string, AssociationSetDefinition>>
  readonly functionImports?: Readonly<Record<string, FunctionImportDefinition>>
}

export interface EntitySetDefinition extends AnnotatedDefinition {
  readonly entityType: string
}

export interface AssociationSetDefinition extends AnnotatedDefinition {
  readonly association: string
  /** The entity set of each role: its name, or an object when the end carries annotations. */
  readonly ends: Readonly<Record<string, string | (AnnotatedDefinition & { readonly entitySet: string })>>
}

/** @spec MC-CSDL 2.1.21 */
export interface FunctionImportDefinition extends AnnotatedDefinition {
  /** `Edm.Int32`, a complex or entity type, or `Collection(...)` of these; nothing for a function without result. */
  readonly returnType?: string
  /** The set that returned entities belong to. */
  readonly entitySet?: string
  /** Default: both. */
  readonly httpMethod?: 'GET' | 'POST'
  readonly parameters?: Readonly<Record<string, FunctionParameterDefinition>>
}

export interface FunctionParameterDefinition extends AnnotatedDefinition {
  readonly type: PrimitiveTypeName | (string & {})
  /** Default true: a parameter that is absent is null. */
  readonly nullable?: boolean
  readonly mode?: 'In' | 'Out' | 'InOut'
  readonly maxLength?: number | 'Max'
  readonly precision?: number
  readonly scale?: number
}
