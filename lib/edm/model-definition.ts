import type { Annotations, Documentation } from './annotations.js'
import type { MeasureOption } from './measure-option.js'
import type { ComputedDefinition, Multiplicity } from './edm-model.js'
import type { FeedContentKind } from './feed-mapping.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import type { SapFacets } from './sap-facets.js'

/**
 * The definition of a model: CSDL as objects. References to types and associations of other schemas are qualified by a
 * namespace or alias.
 *
 * Has either the members of one schema, or `schemas`.
 *
 * @example
 * const definition: ModelDefinition = {
 *   namespace: 'Shop',
 *   entityTypes: { Product: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } },
 *   entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
 * }
 * const model = defineModel(definition)
 */
export interface ModelDefinition extends Partial<SchemaDefinition> {
  /** The version that the metadata document declares. Default: '2.0' if a feed mapping needs it, otherwise '1.0'. */
  readonly dataServiceVersion?: '1.0' | '2.0' | '3.0'
  /**
   * True if entities without a property of `concurrencyMode: 'Fixed'` get an ETag too. The memory provider generates
   * it. Default: false.
   */
  readonly generateEtags?: boolean
  /** Several schemas, instead of the members of one. */
  readonly schemas?: readonly SchemaDefinition[]
  /** The annotations of the element `DataServices` of the metadata document. */
  readonly dataServices?: AnnotatedDefinition
  /** The annotations of the root element of the metadata document. */
  readonly edmx?: AnnotatedDefinition
}

/** The documentation and annotations of an element. */
export interface AnnotatedDefinition {
  readonly documentation?: Documentation
  readonly annotations?: Partial<Annotations>
  /** Annotations of SAP, which precede those of `annotations`. */
  readonly sap?: SapFacets
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
  /** The only container of the schema, which is the default container. Default name: `Container`. */
  readonly entityContainer?: EntityContainerDefinition & { readonly name?: string }
  /** The containers by name, if there are several. */
  readonly entityContainers?: Readonly<Record<string, EntityContainerDefinition>>
}

/** @spec MC-CSDL 2.1.2 */
export interface EntityTypeDefinition extends AnnotatedDefinition {
  /** The names of the key properties in the order of key values. Derived types inherit their key. */
  readonly key?: readonly string[]
  readonly baseType?: string
  readonly abstract?: boolean
  readonly openType?: boolean
  readonly hasStream?: boolean
  readonly properties?: Readonly<Record<string, PropertyDefinition>>
  readonly navigationProperties?: Readonly<Record<string, NavigationPropertyDefinition>>
  /** The feed mappings of inherited properties and of properties of complex properties. */
  readonly feedMappings?: readonly (FeedMappingDefinition & { readonly sourcePath: string })[]
}

/** @spec MC-CSDL 2.1.7 */
export interface ComplexTypeDefinition extends AnnotatedDefinition {
  /** The complex type from which properties are inherited. */
  readonly baseType?: string
  readonly properties: Readonly<Record<string, PropertyDefinition>>
}

/** The facets of a property. */
export interface Facets extends AnnotatedDefinition {
  /** Default: true, for key properties false. */
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
  /** True if the provider generates the value of new entities for which the client sends none. */
  readonly computedDefaultValue?: boolean
  /** Where the value comes from if it is not stored; see the option `computed` of a service. */
  readonly computed?: ComputedDefinition
  /**
   * How a measure of an analytical set is aggregated. Default: `sum` for numbers, `max` for other types.
   *
   * @example edm.Int32({ sap: { aggregationRole: 'measure' }, aggregate: { countDistinct: 'Customer' } })
   */
  readonly aggregate?: MeasureOption
  /** A feed mapping of this property, or several for the properties of a complex one. */
  readonly syndication?: FeedMappingDefinition | readonly FeedMappingDefinition[]
}

/** @spec MC-CSDL 2.1.3 */
export interface PropertyDefinition extends Facets {
  /** The name of a primitive or complex type. */
  readonly type: PrimitiveTypeName | (string & {})
}

/** @spec MS-ODATA 2.2.3.7.2.1 */
export interface FeedMappingDefinition {
  /** A syndication target such as `SyndicationTitle`, or a path of elements, which requires `namespaceUri`. */
  readonly target: string
  /** The path of the property; within a property, the path relative to it, which complex ones require. */
  readonly sourcePath?: string
  readonly contentKind?: FeedContentKind
  readonly keepInContent?: boolean
  readonly namespaceUri?: string
  readonly namespacePrefix?: string
}

/** @spec MC-CSDL 2.1.4 */
export interface NavigationPropertyDefinition extends AnnotatedDefinition {
  /** The name of the association. */
  readonly relationship: string
  readonly fromRole: string
  readonly toRole: string
}

/** @spec MC-CSDL 2.1.8 */
export interface AssociationDefinition extends AnnotatedDefinition {
  /** The two ends by role. */
  readonly ends: Readonly<Record<string, AssociationEndDefinition>>
  readonly referentialConstraint?: AnnotatedDefinition & {
    readonly principal: ConstraintRoleDefinition
    readonly dependent: ConstraintRoleDefinition
    readonly isInferred?: boolean | undefined
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
  /** True for one container of a model that has several. */
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
  /** The entity set of each role: its name, or an object if the end has annotations. */
  readonly ends: Readonly<Record<string, string | (AnnotatedDefinition & { readonly entitySet: string })>>
}

/** @spec MC-CSDL 2.1.21 */
export interface FunctionImportDefinition extends AnnotatedDefinition {
  /** A primitive, complex or entity type, or `Collection(...)` of one; absent for functions without result. */
  readonly returnType?: string
  /** The entity set of returned entities. */
  readonly entitySet?: string
  /** Default: both methods. */
  readonly httpMethod?: 'GET' | 'POST'
  readonly parameters?: Readonly<Record<string, FunctionParameterDefinition>>
}

export interface FunctionParameterDefinition extends AnnotatedDefinition {
  readonly type: PrimitiveTypeName | (string & {})
  /** Default: true; absent parameters are null. */
  readonly nullable?: boolean
  readonly mode?: 'In' | 'Out' | 'InOut'
  readonly maxLength?: number | 'Max'
  readonly precision?: number
  readonly scale?: number
}
