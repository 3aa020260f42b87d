import type { Annotatable } from './annotations.js'
import type { MeasureOption } from './measure-option.js'
import type { FeedMapping } from './feed-mapping.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import { computeOnce } from '../util/get-or-create.js'

/**
 * The model of a service: CSDL with all names resolved, frozen. Its interfaces refer to each other in cycles and
 * therefore share a file.
 *
 * @spec MC-CSDL 2.1
 * @example const typeNames = [...model.entityTypes.keys()] // ['Shop.Product', 'Shop.Category']
 */
export interface EdmModel<Definition = unknown> extends Annotatable {
  readonly kind: 'EdmModel'
  /** The version that the metadata document declares. */
  readonly dataServiceVersion: '1.0' | '2.0' | '3.0'
  readonly schemas: readonly Schema[]
  /** The container whose entity sets are addressed without qualification. */
  readonly defaultContainer: EntityContainer
  readonly entityContainers: readonly EntityContainer[]
  /** By qualified name, `Namespace.Name`. */
  readonly entityTypes: ReadonlyMap<string, EntityType>
  readonly complexTypes: ReadonlyMap<string, ComplexType>
  readonly associations: ReadonlyMap<string, Association>
  /** The annotations of the element `DataServices` of the metadata document. */
  readonly dataServices: Annotatable
  /** True if the memory provider generates the ETags of entities without a property for it. */
  readonly generateEtags?: boolean | undefined
  /** Has the literal type of the definition; always undefined at run time. */
  readonly definition?: Definition
}

/**
 * A namespace and its elements. @spec MC-CSDL 2.1.1
 *
 * @example const namespaces = model.schemas.map(({ namespace }: Schema) => namespace) // ['Shop']
 */
export interface Schema extends Annotatable {
  readonly namespace: string
  readonly alias?: string | undefined
  /** The XML namespace of the schema, which is that of a version of CSDL. */
  readonly xmlNamespace: string
  readonly usings: readonly Using[]
  readonly entityTypes: readonly EntityType[]
  readonly complexTypes: readonly ComplexType[]
  readonly associations: readonly Association[]
  readonly entityContainers: readonly EntityContainer[]
}

/**
 * An alias for the namespace of another schema. @spec MC-CSDL 2.1.1
 *
 * @example const aliases = model.schemas.flatMap(({ usings }) => usings.map(({ alias }: Using) => alias))
 */
export interface Using extends Annotatable {
  readonly namespace: string
  readonly alias: string
}

/**
 * The common members of entity types and complex types. @spec MC-CSDL 2.1.2, 2.1.7
 *
 * @example const columns = ({ properties }: StructuralType) => properties.map(({ name, type }) => [name, type])
 */
export interface StructuralType extends Annotatable {
  readonly name: string
  readonly namespace: string
  /** The name of the type in JSON, Atom and `$filter`: `Namespace.Name`. */
  readonly qualifiedName: string
  /** All properties, those of the base type first. */
  readonly properties: readonly Property[]
  /** The properties without those of the base type. */
  readonly declaredProperties: readonly Property[]
  /** Finds a property, including inherited ones. */
  property(name: string): Property | undefined
}

/**
 * The type of entities: their key, properties and navigation properties. @spec MC-CSDL 2.1.2
 *
 * @example const keyNames = ({ key }: EntityType) => key.map(({ name }) => name)
 */
export interface EntityType extends StructuralType {
  readonly kind: 'EntityType'
  readonly baseType?: EntityType | undefined
  /** True if only derived types have entities. */
  readonly abstract: boolean
  /** True if the document declares an open type; undeclared properties are not served. */
  readonly openType: boolean
  /** True for media link entries: each entity has a media resource. Inherited. */
  readonly hasStream: boolean
  /** True if the type itself declares `hasStream`. */
  readonly declaresStream: boolean
  /** The key properties in the order of key values. */
  readonly key: readonly Property[]
  /** All navigation properties, those of the base type first. */
  readonly navigationProperties: readonly NavigationProperty[]
  readonly declaredNavigationProperties: readonly NavigationProperty[]
  /** Direct and indirect derived types in the order of declaration. */
  readonly derivedTypes: readonly EntityType[]
  /** The computed properties of the type and of derived types. */
  readonly computedProperties: readonly Property[]
  /** True if the model has properties with `scan`, whose functions providers cannot call. */
  readonly mayScan: boolean
  /** The properties whose values form the ETag of an entity. */
  readonly concurrencyTokens: readonly Property[]
  /** The feed mappings of the type and its properties, inherited ones first. */
  readonly feedMappings: readonly FeedMapping[]
  /** The feed mappings that are declared by the type itself rather than by a property. */
  readonly declaredFeedMappings: readonly FeedMapping[]
  /** Finds a navigation property, including inherited ones. */
  navigationProperty(name: string): NavigationProperty | undefined
  /** Returns true for the type itself and for every type derived from it. */
  isOrInherits(ancestor: EntityType): boolean
}

/**
 * A structured type without key. @spec MC-CSDL 2.1.7
 *
 * @example const memberNames = ({ properties }: ComplexType) => properties.map(({ name }) => name)
 */
export interface ComplexType extends StructuralType {
  readonly kind: 'ComplexType'
  readonly baseType?: ComplexType | undefined
}

/**
 * A primitive or complex property. @spec MC-CSDL 2.1.3
 *
 * @example const isRequired = ({ nullable, isKey }: Property) => !nullable || isKey
 */
export interface Property extends Annotatable {
  readonly kind: 'Property'
  readonly name: string
  readonly type: PrimitiveTypeName | ComplexType
  readonly nullable: boolean
  /** True if it is part of the key of its type. */
  readonly isKey: boolean
  /** A literal of its type without quotes and suffix: `'0'`, `'2024-01-31T12:00:00'`. */
  readonly defaultValue?: string | undefined
  /** In characters, or in bytes of Edm.Binary. */
  readonly maxLength?: number | 'Max' | undefined
  readonly fixedLength?: boolean | undefined
  readonly unicode?: boolean | undefined
  /** The number of digits of Edm.Decimal, or of fraction digits of dates and times. */
  readonly precision?: number | undefined
  /** The number of digits after the decimal point of Edm.Decimal. */
  readonly scale?: number | undefined
  readonly collation?: string | undefined
  /** `Fixed` if it is part of the ETag of an entity. */
  readonly concurrencyMode?: 'None' | 'Fixed' | undefined
  /** The content type of `$value` of the property. */
  readonly mimeType?: string | undefined
  /** `Identity` if the provider generates the value of new entities, `Computed` if also at each change. */
  readonly storeGeneratedPattern?: 'None' | 'Identity' | 'Computed' | undefined
  /**
   * True if the provider generates the value of new entities for which the client sends none, for example from an
   * expression of the database.
   */
  readonly computedDefaultValue?: boolean | undefined
  /** Where the value comes from if it is not stored. */
  readonly computed?: ComputedDefinition | undefined
  /** How a measure of an analytical set is aggregated. */
  readonly aggregate?: MeasureOption | undefined
  /** The feed mappings that the property declares; their source paths start with it. */
  readonly feedMappings: readonly FeedMapping[]
}

/**
 * A property that refers to related entities. @spec MC-CSDL 2.1.4
 *
 * @example
 * const describe = ({ name, targetType, isCollection }: NavigationProperty) =>
 *   `${name}: ${targetType.name}${isCollection ? '[]' : ''}`
 */
export interface NavigationProperty extends Annotatable {
  readonly kind: 'NavigationProperty'
  readonly name: string
  readonly association: Association
  readonly fromEnd: AssociationEnd
  readonly toEnd: AssociationEnd
  /** The type of the related entities. */
  readonly targetType: EntityType
  /** True for multiplicity `*`. */
  readonly isCollection: boolean
  /** The navigation property of the target type for the opposite direction of the association. */
  readonly partner: NavigationProperty | undefined
}

export const multiplicities = ['0..1', '1', '*'] as const

/**
 * The number of entities at an end of an association for each entity at the other end.
 *
 * @example const many: Multiplicity = '*'
 */
export type Multiplicity = (typeof multiplicities)[number]

/**
 * A relationship between entities of two types. @spec MC-CSDL 2.1.8
 *
 * @example const isManyToMany = ({ ends }: Association) => ends.every(({ multiplicity }) => multiplicity === '*')
 */
export interface Association extends Annotatable {
  readonly name: string
  readonly namespace: string
  readonly qualifiedName: string
  readonly ends: readonly [AssociationEnd, AssociationEnd]
  readonly referentialConstraint?: ReferentialConstraint | undefined
}

/**
 * An end of an association. @spec MC-CSDL 2.1.9
 *
 * @example const isRequired = ({ multiplicity }: AssociationEnd) => multiplicity === '1'
 */
export interface AssociationEnd extends Annotatable {
  readonly role: string
  readonly type: EntityType
  readonly multiplicity: Multiplicity
  /** `Cascade` if deleting an entity at this end deletes those at the other end. */
  readonly onDelete?: 'None' | 'Cascade' | undefined
}

/**
 * A foreign key: the dependent properties have the values of the key of the principal. @spec MC-CSDL 2.1.11
 *
 * @example
 * const foreignKey = ({ dependentProperties }: ReferentialConstraint) =>
 *   dependentProperties.map(({ name }) => name)
 */
export interface ReferentialConstraint extends Annotatable {
  readonly principal: AssociationEnd
  readonly principalProperties: readonly Property[]
  readonly dependent: AssociationEnd
  readonly dependentProperties: readonly Property[]
  /** True in mock servers if names of properties imply the constraint. It is not enforced, and not in `$metadata`. */
  readonly isInferred?: boolean | undefined
}

/**
 * The entity sets, association sets and functions that clients can address. @spec MC-CSDL 2.1.14
 *
 * @example const products = model.defaultContainer.entitySet('Products')?.entityType
 */
export interface EntityContainer extends Annotatable {
  readonly name: string
  readonly namespace: string
  readonly qualifiedName: string
  readonly isDefault: boolean
  /** The name of the container that this one extends. */
  readonly extends?: string | undefined
  readonly entitySets: readonly EntitySet[]
  readonly associationSets: readonly AssociationSet[]
  readonly functionImports: readonly FunctionImport[]
  entitySet(name: string): EntitySet | undefined
  functionImport(name: string): FunctionImport | undefined
}

/**
 * A named collection of entities. @spec MC-CSDL 2.1.17
 *
 * @example const paths = model.defaultContainer.entitySets.map(({ path }: EntitySet) => path) // ['Products', 'Categories']
 */
export interface EntitySet extends Annotatable {
  readonly kind: 'EntitySet'
  readonly name: string
  /** The qualified name of the container. */
  readonly container: string
  /** The name in URIs: qualified by the container unless that is the default one. */
  readonly path: string
  readonly entityType: EntityType
  /** Returns the entity set of related entities; undefined if the model does not define it. */
  targetOf(navigation: NavigationProperty): EntitySet | undefined
}

/**
 * An association between the entities of two entity sets. @spec MC-CSDL 2.1.19
 *
 * @example const setNames = ({ ends }: AssociationSet) => ends.map(({ entitySet }) => entitySet.name)
 */
export interface AssociationSet extends Annotatable {
  readonly name: string
  readonly association: Association
  readonly ends: readonly [AssociationSetEnd, AssociationSetEnd]
}

/**
 * An end of an association set. @spec MC-CSDL 2.1.20
 *
 * @example const describe = ({ role, entitySet }: AssociationSetEnd) => `${role}: ${entitySet.name}`
 */
export interface AssociationSetEnd extends Annotatable {
  readonly role: string
  readonly entitySet: EntitySet
}

/**
 * A service operation. @spec MC-CSDL 2.1.21
 *
 * @example const changesData = ({ httpMethod }: FunctionImport) => httpMethod === 'POST'
 */
export interface FunctionImport extends Annotatable {
  readonly kind: 'FunctionImport'
  readonly name: string
  /** The name in URIs: qualified by the container unless that is the default one. */
  readonly path: string
  /** Undefined for functions without result. */
  readonly returnType: FunctionReturnType | undefined
  /** The entity set of returned entities. */
  readonly entitySet: EntitySet | undefined
  /** Undefined if the function can be called by GET and POST. */
  readonly httpMethod: 'GET' | 'POST' | undefined
  readonly parameters: readonly FunctionParameter[]
}

/**
 * The type of the result of a function. @spec MC-CSDL 2.1.21
 *
 * @example const isList = (returnType: FunctionReturnType | undefined) => returnType?.isCollection === true
 */
export interface FunctionReturnType {
  readonly type: PrimitiveTypeName | ComplexType | EntityType
  readonly isCollection: boolean
}

/**
 * A parameter of a function. @spec MC-CSDL 2.1.21
 *
 * @example const isOptional = ({ nullable }: FunctionParameter) => nullable
 */
export interface FunctionParameter extends Annotatable {
  readonly name: string
  readonly type: PrimitiveTypeName
  readonly nullable: boolean
  readonly mode?: 'In' | 'Out' | 'InOut' | undefined
  readonly maxLength?: number | 'Max' | undefined
  readonly precision?: number | undefined
  readonly scale?: number | undefined
}

/** Returns the qualified name of a type. */
export function nameOfType(type: PrimitiveTypeName | ComplexType | EntityType): string {
  return isPrimitive(type) ? type : type.qualifiedName
}

/** Returns true for primitive types. */
export function isPrimitive(type: PrimitiveTypeName | ComplexType | EntityType): type is PrimitiveTypeName {
  return typeof type === 'string'
}

/** Returns the entity sets of all containers. */
export const entitySetsOf = computeOnce(({ entityContainers }: EdmModel): readonly EntitySet[] =>
  Object.freeze(entityContainers.flatMap(({ entitySets }) => entitySets)),
)

/** Returns the entity sets of all containers by path. */
export const entitySetsByPath = computeOnce(
  (model: EdmModel): ReadonlyMap<string, EntitySet> =>
    new Map(entitySetsOf(model).map((set) => [set.path, set])),
)

/** Returns the function imports of all containers. */
export function functionImportsOf({ entityContainers }: EdmModel): readonly FunctionImport[] {
  return entityContainers.flatMap(({ functionImports }) => functionImports)
}

/** Returns true if the provider generates the value of the property, and ignores those of clients. */
export function isStoreGenerated({ storeGeneratedPattern = 'None' }: Property): boolean {
  return storeGeneratedPattern !== 'None'
}

/** Returns true if an insert may omit the property even if it is not nullable. */
export function hasDefaultValue(property: Property): boolean {
  const { defaultValue, computedDefaultValue } = property
  return defaultValue !== undefined || computedDefaultValue === true || isStoreGenerated(property)
}

/** Returns the entity set at an end of an association set. */
export function setInRole({ ends }: AssociationSet, role: string): EntitySet | undefined {
  return ends.find((end) => end.role === role)?.entitySet
}

/**
 * Where the value of a computed property comes from: an expression, a function, or nothing for a virtual property. The
 * functions get rows and calls of the service, whose types are those of `ComputedProperty`.
 */
export interface ComputedDefinition {
  /** In the syntax of `$filter`. */
  readonly expression?: string | undefined
  /** The names of the properties that the functions get. */
  readonly needs?: readonly string[] | undefined
  readonly value?: ((row: never, call: never) => unknown) | undefined
  readonly values?: ((rows: never, call: never) => unknown) | undefined
  /** True if `$filter` and `$orderby` may use the property, which reads all entities. */
  readonly scan?: boolean | undefined
}

/** Returns true if an application function computes the value. Its result may depend on anything. */
export function isFunction({ value, values }: ComputedDefinition): boolean {
  return value !== undefined || values !== undefined
}
