import { isDeepStrictEqual } from 'node:util'
import type { ModelErrors } from '../edm/build/model-error.js'
import { NameScope } from '../edm/build/name-scope.js'
import type {
  AssociationDefinition,
  EntityTypeDefinition,
  ModelDefinition,
  SchemaDefinition,
} from '../edm/model-definition.js'

/** An element of a schema, with the names that the schema can use. */
interface Declared<Definition> {
  readonly name: string
  readonly definition: Definition
  readonly schema: SchemaDefinition
}

type DeclaredType = Declared<EntityTypeDefinition>

/**
 * Derives entity types from those whose members they repeat, where the rest of the document is valid only for derived
 * types: services that flatten inheritance omit `BaseType`, but roles and entity sets still refer to the base type.
 *
 * @param definition of a document
 */
export function restoreInheritance(definition: ModelDefinition, errors: ModelErrors): ModelDefinition {
  const { schemas = [] } = definition
  const bases = new InheritanceFinder(schemas, errors).bases()
  if (bases.size === 0) return definition
  for (const [{ name }, base] of bases) {
    errors.notices.push(`${name} repeats the members of ${base.name}, and was read as derived from it.`)
  }
  const derived = new Map([...bases].map(([type, base]) => [type.definition, derivedType(type, base)]))
  return {
    ...definition,
    schemas: schemas.map((schema) => ({
      ...schema,
      entityTypes: Object.fromEntries(
        Object.entries(schema.entityTypes ?? {}).map(([name, one]) => [name, derived.get(one) ?? one]),
      ),
    })),
  }
}

class InheritanceFinder {
  private readonly types: ReadonlyMap<string, DeclaredType>
  private readonly associations: ReadonlyMap<string, Declared<AssociationDefinition>>
  private readonly found = new Map<DeclaredType, DeclaredType>()

  constructor(
    private readonly schemas: readonly SchemaDefinition[],
    private readonly errors: ModelErrors,
  ) {
    this.types = byName(schemas, ({ entityTypes }) => entityTypes)
    this.associations = byName(schemas, ({ associations }) => associations)
  }

  /** Returns the base type of each type that repeats its members. */
  bases(): ReadonlyMap<DeclaredType, DeclaredType> {
    for (const type of this.types.values()) this.checkNavigation(type)
    for (const schema of this.schemas) this.checkContainers(schema)
    return this.found
  }

  private checkNavigation(type: DeclaredType): void {
    for (const [name, navigation] of Object.entries(type.definition.navigationProperties ?? {})) {
      const owner = this.roleType(navigation.relationship, navigation.fromRole, type.schema)
      const repeated = owner?.definition.navigationProperties?.[name]
      if (owner !== undefined && isDeepStrictEqual(repeated, navigation)) this.derive(type, owner)
    }
  }

  private checkContainers(schema: SchemaDefinition): void {
    const { entityContainer, entityContainers = {} } = schema
    const containers = [...Object.values(entityContainers), ...(entityContainer ? [entityContainer] : [])]
    for (const { associationSets = {}, entitySets = {}, functionImports = {} } of containers) {
      const typeOfSet = (name: string | undefined): DeclaredType | undefined => {
        const set = name === undefined || !Object.hasOwn(entitySets, name) ? undefined : entitySets[name]
        return set && this.type(set.entityType, schema)
      }
      for (const { association, ends } of Object.values(associationSets)) {
        for (const [role, end] of Object.entries(ends)) {
          const type = typeOfSet(typeof end === 'string' ? end : end.entitySet)
          const roleType = this.roleType(association, role, schema)
          if (type === undefined || roleType === undefined || this.areRelated(type, roleType)) continue
          if (!this.deriveUnnamed(type, roleType)) this.deriveUnnamed(roleType, type)
        }
      }
      for (const { returnType = '', entitySet } of Object.values(functionImports)) {
        const returned = this.type(/^Collection\((.*)\)$/.exec(returnType)?.[1] ?? returnType, schema)
        const type = typeOfSet(entitySet)
        if (returned !== undefined && type !== undefined && !this.areRelated(returned, type))
          this.deriveUnnamed(returned, type)
      }
    }
  }

  /** Derives a type without a navigation property that both have. Types that share only a key may do so by chance. */
  private deriveUnnamed(type: DeclaredType, base: DeclaredType): boolean {
    const { key = [], properties = {} } = base.definition
    return Object.keys(properties).length > key.length && this.derive(type, base)
  }

  private derive(type: DeclaredType, base: DeclaredType): boolean {
    if (this.areRelated(type, base) || !repeatsMembers(type.definition, base.definition)) return false
    const other = this.found.get(type)
    if (other === undefined) this.found.set(type, base)
    // The base type with more members is nearer.
    else if (repeatsMembers(other.definition, base.definition)) return this.derive(other, base)
    else if (repeatsMembers(base.definition, other.definition)) {
      this.found.set(type, base)
      return this.derive(base, other)
    } else return false
    return true
  }

  private areRelated(one: DeclaredType, other: DeclaredType): boolean {
    return this.inherits(one, other) || this.inherits(other, one)
  }

  private inherits(type: DeclaredType, ancestor: DeclaredType): boolean {
    const seen = new Set<DeclaredType>()
    for (
      let one: DeclaredType | undefined = type;
      one !== undefined && !seen.has(one);
      one = this.baseOf(one)
    ) {
      if (one === ancestor) return true
      seen.add(one)
    }
    return false
  }

  private baseOf(type: DeclaredType): DeclaredType | undefined {
    const { baseType } = type.definition
    return baseType === undefined ? this.found.get(type) : this.type(baseType, type.schema)
  }

  private roleType(association: string, role: string, schema: SchemaDefinition): DeclaredType | undefined {
    const found = new NameScope(schema, this.associations, this.errors).find(association)
    if (found === undefined || !Object.hasOwn(found.definition.ends, role)) return undefined
    const end = found.definition.ends[role]
    return end && this.type(end.type, found.schema)
  }

  private type(name: string, schema: SchemaDefinition): DeclaredType | undefined {
    return new NameScope(schema, this.types, this.errors).find(name)
  }
}

function byName<Definition>(
  schemas: readonly SchemaDefinition[],
  elements: (schema: SchemaDefinition) => Readonly<Record<string, Definition>> | undefined,
): ReadonlyMap<string, Declared<Definition>> {
  return new Map(
    schemas.flatMap((schema) =>
      Object.entries(elements(schema) ?? {}).map(([own, definition]) => {
        const name = `${schema.namespace}.${own}`
        return [name, { name, definition, schema }] as const
      }),
    ),
  )
}

function repeatsMembers(type: EntityTypeDefinition, base: EntityTypeDefinition): boolean {
  if (type.baseType !== undefined || base.baseType !== undefined || base.key === undefined) return false
  return (
    isDeepStrictEqual(type.key, base.key) &&
    includesAll(type.properties, base.properties) &&
    includesAll(type.navigationProperties, base.navigationProperties)
  )
}

function includesAll(members: object = {}, inherited: object = {}): boolean {
  const own = new Map<string, unknown>(Object.entries(members))
  return Object.entries(inherited).every(([name, one]) => isDeepStrictEqual(own.get(name), one))
}

/** Returns a type without the members that it inherits. */
function derivedType({ definition }: DeclaredType, base: DeclaredType): EntityTypeDefinition {
  const { key: _key, hasStream, feedMappings = [], ...type } = definition
  const inherited = base.definition
  const mappings = feedMappings.filter(
    (one) => inherited.feedMappings?.some((other) => isDeepStrictEqual(one, other)) !== true,
  )
  return {
    ...type,
    baseType: base.name,
    ...(hasStream !== undefined && inherited.hasStream !== hasStream && { hasStream }),
    ...(mappings.length > 0 && { feedMappings: mappings }),
    properties: without(type.properties, inherited.properties),
    navigationProperties: without(type.navigationProperties, inherited.navigationProperties),
  }
}

function without<Member>(
  members: Readonly<Record<string, Member>> = {},
  inherited: object = {},
): Readonly<Record<string, Member>> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(inherited, name)))
}
