import type { XmlElement } from '../../xml/xml-element.js'

/**
 * The elements of a metadata document of OData V4, read from XML or JSON. Names are qualified by namespaces, never by
 * aliases. `place` is the name of an element and, if it is known, its line.
 *
 * @spec OData CSDL 4.01
 */
export interface V4Document {
  readonly schemas: readonly V4Schema[]
  /** `Annotation` elements with full names by their target: `Shop.Product/Price`, `Shop.Container/Products`. */
  readonly annotations: ReadonlyMap<string, readonly XmlElement[]>
}

export interface V4Schema {
  readonly namespace: string
  readonly structuredTypes: readonly V4StructuredType[]
  readonly enumTypes: readonly V4EnumType[]
  readonly typeDefinitions: readonly V4TypeDefinition[]
  readonly operations: readonly V4Operation[]
  readonly containers: readonly V4Container[]
}

/** An element with a name. */
interface V4Named {
  readonly name: string
  readonly place: string
}

export interface V4StructuredType extends V4Named {
  readonly kind: 'EntityType' | 'ComplexType'
  readonly baseType?: string | undefined
  readonly isAbstract: boolean
  readonly isOpen: boolean
  readonly hasStream: boolean
  /** Undefined if the type declares no key. */
  readonly key?: readonly V4KeyReference[] | undefined
  readonly properties: readonly V4Property[]
  readonly navigationProperties: readonly V4NavigationProperty[]
}

export interface V4KeyReference {
  /** The name of a property, or a path to one in a complex property. */
  readonly path: string
  readonly alias?: string | undefined
}

/** A type with facets. */
export interface V4Typed {
  /** A qualified name without `Collection(…)`. */
  readonly type: string
  readonly isCollection: boolean
  readonly nullable: boolean
  readonly maxLength?: number | 'Max' | undefined
  readonly precision?: number | undefined
  readonly scale?: number | 'variable' | undefined
  readonly unicode?: boolean | undefined
}

export interface V4Property extends V4Named, V4Typed {
  readonly defaultValue?: string | undefined
}

export interface V4NavigationProperty extends V4Named, Pick<V4Typed, 'type' | 'isCollection' | 'nullable'> {
  readonly partner?: string | undefined
  readonly containsTarget: boolean
  readonly constraints: readonly V4Constraint[]
  readonly onDelete?: string | undefined
}

interface V4Constraint {
  readonly property: string
  readonly referencedProperty: string
}

export interface V4EnumType extends V4Named {
  readonly isFlags: boolean
  readonly members: readonly string[]
}

export interface V4TypeDefinition extends V4Named, Omit<V4Typed, 'type' | 'isCollection' | 'nullable'> {
  readonly underlyingType: string
}

export interface V4Operation extends V4Named {
  readonly kind: 'Action' | 'Function'
  readonly isBound: boolean
  readonly entitySetPath?: string | undefined
  /** The first parameter of a bound operation is the binding parameter. */
  readonly parameters: readonly V4Parameter[]
  readonly returnType?: V4Typed | undefined
}

export interface V4Parameter extends V4Named, V4Typed {}

export interface V4Container extends V4Named {
  readonly extends?: string | undefined
  readonly sets: readonly V4SetElement[]
  readonly imports: readonly V4OperationImport[]
}

export interface V4SetElement extends V4Named {
  readonly kind: 'EntitySet' | 'Singleton'
  readonly entityType: string
  /** The set that the entities of a navigation property belong to, by the path of the property. */
  readonly bindings: ReadonlyMap<string, string>
}

export interface V4OperationImport extends V4Named {
  readonly operation: string
  readonly entitySet?: string | undefined
}
