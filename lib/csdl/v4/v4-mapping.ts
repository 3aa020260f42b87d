import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'

/** How the elements of a V2 model are named and typed in the V4 service that it was read from. */
export interface V4Mapping {
  /** By qualified name of the entity type or complex type in the V2 model. */
  readonly types: ReadonlyMap<string, V4TypeMapping>
  /** By path of the entity set in the V2 model. */
  readonly sets: ReadonlyMap<string, V4SetMapping>
  /** By path of the function import in the V2 model. */
  readonly operations: ReadonlyMap<string, V4OperationMapping>
}

/** A structured type. Properties and navigation properties include inherited ones, by their names in the V2 model. */
export interface V4TypeMapping {
  /** The qualified name in the V4 service. */
  readonly name: string
  /** The qualified name in the V2 model. */
  readonly v2Name: string
  readonly properties: ReadonlyMap<string, V4PropertyMapping>
  /** The names of navigation properties in the V4 service. */
  readonly navigations: ReadonlyMap<string, string>
  /** The stream property of a media link entry; `$value` for a media entity. Undefined for others. */
  readonly stream?: string | undefined
}

export interface V4PropertyMapping {
  /** The name in the V4 service. */
  readonly name: string
  readonly type: V4ValueType
  readonly nullable: boolean
  /** The number of fraction digits of dates and times; undefined if the document has none. */
  readonly precision?: number | undefined
}

/** The type of values in the V4 service. */
export type V4ValueType =
  | {
      readonly kind: 'primitive'
      readonly name: V4PrimitiveTypeName
      /** The type in the V2 model. */
      readonly v2Name: PrimitiveTypeName
    }
  | { readonly kind: 'enum'; readonly name: string; readonly isFlags: boolean }
  | { readonly kind: 'complex'; readonly type: V4TypeMapping }

export interface V4SetMapping {
  readonly kind: 'EntitySet' | 'Singleton' | 'Contained'
  /** The name in URIs of the V4 service. Contained sets have that of their navigation property. */
  readonly name: string
  readonly type: V4TypeMapping
  /** True if changes need the ETag of the entity. */
  readonly hasEtag: boolean
  /** True if the service announces that it evaluates `$apply`. */
  readonly canAggregate: boolean
  /** The navigation properties of this set, by their names in the V2 model, that contain entities of another set. */
  readonly contained: ReadonlySet<string>
}

export interface V4OperationMapping {
  readonly kind: 'Action' | 'Function'
  /** The name of the import, or the qualified name of a bound operation. */
  readonly name: string
  readonly binding?: V4Binding | undefined
  /** By name of the parameter in the V2 model, without those of the key. */
  readonly parameters: ReadonlyMap<string, V4ParameterMapping>
  readonly returns?: { readonly type: V4ValueType; readonly isCollection: boolean } | undefined
}

/** The entity or collection that an operation is bound to. */
interface V4Binding {
  /** Path of the set in the V2 model. */
  readonly set: string
  /** Names of the parameters with the key, by key property in the V2 model; undefined for a collection. */
  readonly key?: ReadonlyMap<string, string> | undefined
}

export interface V4ParameterMapping extends V4PropertyMapping {
  /** True if an absent parameter is omitted. */
  readonly isOptional: boolean
}

/** Each primitive type with a type of the V2 model. */
export const v2Types = {
  'Edm.Binary': 'Edm.Binary',
  'Edm.Boolean': 'Edm.Boolean',
  'Edm.Byte': 'Edm.Byte',
  'Edm.Date': 'Edm.DateTime',
  'Edm.DateTimeOffset': 'Edm.DateTimeOffset',
  'Edm.Decimal': 'Edm.Decimal',
  'Edm.Double': 'Edm.Double',
  'Edm.Duration': 'Edm.String',
  'Edm.Guid': 'Edm.Guid',
  'Edm.Int16': 'Edm.Int16',
  'Edm.Int32': 'Edm.Int32',
  'Edm.Int64': 'Edm.Int64',
  'Edm.SByte': 'Edm.SByte',
  'Edm.Single': 'Edm.Single',
  'Edm.String': 'Edm.String',
  'Edm.TimeOfDay': 'Edm.Time',
} as const satisfies Record<string, PrimitiveTypeName>

export type V4PrimitiveTypeName = keyof typeof v2Types

export function isV4Primitive(name: string): name is V4PrimitiveTypeName {
  return Object.hasOwn(v2Types, name)
}
