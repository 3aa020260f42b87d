import type { ModelErrors } from '../../edm/build/model-error.js'
import { didYouMean } from '../../errors/suggestions.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type {
  V4Document,
  V4EnumType,
  V4NavigationProperty,
  V4Property,
  V4StructuredType,
  V4TypeDefinition,
  V4Typed,
} from './v4-document.js'
import { isV4Primitive } from './v4-mapping.js'

/** A structured type with its qualified name. */
export interface NamedType extends V4StructuredType {
  readonly qualifiedName: string
  readonly namespace: string
}

/** The type of a value after type definitions were replaced, with the facets of these. */
export type ResolvedType =
  | { readonly kind: 'primitive' | 'other'; readonly name: string; readonly typed: V4Typed }
  | { readonly kind: 'enum'; readonly name: string; readonly type: V4EnumType; readonly typed: V4Typed }
  | { readonly kind: 'structured'; readonly type: NamedType; readonly typed: V4Typed }

/** The types of a document, and how they inherit. */
export class V4Types {
  readonly structured: ReadonlyMap<string, NamedType>
  private readonly enums: ReadonlyMap<string, V4EnumType>
  private readonly definitions: ReadonlyMap<string, V4TypeDefinition>
  private readonly usable = new Map<string, boolean>()

  /** @throws ModelError for base types that are missing or form a cycle */
  constructor(
    { schemas }: V4Document,
    private readonly errors: ModelErrors,
  ) {
    const byName = <T extends { readonly name: string; readonly place: string }>(
      members: (schema: V4Document['schemas'][number]) => readonly T[],
    ): Map<string, T & { readonly qualifiedName: string; readonly namespace: string }> => {
      const found = new Map<string, T & { readonly qualifiedName: string; readonly namespace: string }>()
      for (const schema of schemas)
        for (const one of members(schema)) {
          const qualifiedName = `${schema.namespace}.${one.name}`
          if (found.has(qualifiedName)) errors.add(one.place, 'the schema has two types with this name.')
          found.set(qualifiedName, { ...one, qualifiedName, namespace: schema.namespace })
        }
      return found
    }
    this.structured = byName(({ structuredTypes }) => structuredTypes)
    this.enums = byName(({ enumTypes }) => enumTypes)
    this.definitions = byName(({ typeDefinitions }) => typeDefinitions)
    for (const type of this.structured.values()) this.checkBase(type)
    errors.check()
  }

  /** Returns a type and its base types, the most general first. */
  chain(type: NamedType): readonly NamedType[] {
    const chain: NamedType[] = []
    for (let one: NamedType | undefined = type; one !== undefined; one = this.baseOf(one)) chain.unshift(one)
    return chain
  }

  baseOf({ baseType }: V4StructuredType): NamedType | undefined {
    return baseType === undefined ? undefined : this.structured.get(baseType)
  }

  isOrInherits(type: NamedType, ancestor: NamedType): boolean {
    return this.chain(type).includes(ancestor)
  }

  /** Returns the key of a type; undefined without key. */
  keyOf(type: NamedType): NamedType['key'] {
    return this.chain(type).find(({ key }) => key !== undefined)?.key
  }

  /** Returns true for entity types whose key consists of properties with types of OData V2. */
  isUsable(type: NamedType): boolean {
    return getOrCreate(this.usable, type.qualifiedName, () => {
      const properties = this.chain(type).flatMap((one) => one.properties)
      return (
        type.kind === 'EntityType' &&
        (this.keyOf(type) ?? []).length > 0 &&
        (this.keyOf(type) ?? []).every(({ path }) => {
          const property = properties.find(({ name }) => name === path)
          const kind = property && !property.isCollection && this.resolve(property)?.kind
          return kind === 'primitive' || kind === 'enum'
        })
      )
    })
  }

  /** Returns the base type in the V2 model: the next one that clients can address, or that is complex. */
  v2BaseOf(type: NamedType): NamedType | undefined {
    const base = this.baseOf(type)
    return base === undefined || type.kind === 'ComplexType' || this.isUsable(base) ? base : undefined
  }

  /** Returns the members of a type that its base type in the V2 model does not have. */
  ownMembers(type: NamedType): {
    readonly properties: readonly OwnedMember<V4Property>[]
    readonly navigationProperties: readonly OwnedMember<V4NavigationProperty>[]
  } {
    const base = this.v2BaseOf(type)
    const inherited = base === undefined ? [] : this.chain(base)
    const own = this.chain(type).filter((one) => !inherited.includes(one))
    return {
      properties: own.flatMap((owner) => owner.properties.map((member) => ({ owner, member }))),
      navigationProperties: own.flatMap((owner) =>
        owner.navigationProperties.map((member) => ({ owner, member })),
      ),
    }
  }

  /** Replaces type definitions. @returns undefined for a type that does not exist, which is reported */
  resolve(typed: V4Typed & { readonly place?: string }): ResolvedType | undefined {
    let current: V4Typed = typed
    const seen = new Set<string>()
    for (
      let definition = this.definitions.get(current.type);
      definition !== undefined;
      definition = this.definitions.get(current.type)
    ) {
      if (seen.has(current.type)) {
        this.errors.add(definition.place, 'the type definition refers to itself.')
        return undefined
      }
      seen.add(current.type)
      current = {
        ...current,
        type: definition.underlyingType,
        maxLength: current.maxLength ?? definition.maxLength,
        precision: current.precision ?? definition.precision,
        scale: current.scale ?? definition.scale,
        unicode: current.unicode ?? definition.unicode,
      }
    }
    const name = current.type
    const enumType = this.enums.get(name)
    if (enumType !== undefined) return { kind: 'enum', name, type: enumType, typed: current }
    const structured = this.structured.get(name)
    if (structured !== undefined) return { kind: 'structured', type: structured, typed: current }
    if (isV4Primitive(name)) return { kind: 'primitive', name, typed: current }
    if (name.startsWith('Edm.')) return { kind: 'other', name, typed: current }
    const known = [...this.structured.keys(), ...this.enums.keys(), ...this.definitions.keys()]
    this.errors.add(typed.place ?? name, `there is no type '${name}'.${didYouMean(name, known)}`)
    return undefined
  }

  private checkBase(type: NamedType): void {
    const seen = new Set<NamedType>()
    for (let one: NamedType | undefined = type; one !== undefined; one = this.baseOf(one)) {
      if (seen.has(one)) {
        this.errors.add(type.place, 'the base types form a cycle.')
        return
      }
      seen.add(one)
      const { baseType } = one
      if (baseType !== undefined && this.structured.get(baseType)?.kind !== one.kind)
        this.errors.add(
          one.place,
          `there is no base type '${baseType}'.${didYouMean(baseType, this.structured.keys())}`,
        )
    }
  }
}

/** A member with the type that declares it, to which its annotations belong. */
export interface OwnedMember<Member> {
  readonly owner: NamedType
  readonly member: Member
}
