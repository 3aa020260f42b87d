import { normalizeDefault } from '../../edm/build/build-property.js'
import type {
  ComplexTypeDefinition,
  EntityTypeDefinition,
  PropertyDefinition,
} from '../../edm/model-definition.js'
import { defined } from '../csdl-reader.js'
import { annotationOf, booleanOf } from './v4-annotations.js'
import type { V4Context } from './v4-context.js'
import type { V4Property } from './v4-document.js'
import type { V4PropertyMapping, V4TypeMapping, V4ValueType } from './v4-mapping.js'
import { isV4Primitive, v2Types } from './v4-mapping.js'
import type { NamedType, OwnedMember, ResolvedType } from './v4-types.js'
import { V4Names } from './v4-names.js'
import { propertySapAttributes, withSap } from './v4-sap-attributes.js'

/** A type of the V2 model under construction. */
export interface TypeDraft {
  readonly type: NamedType
  readonly mapping: V4TypeMapping & {
    readonly properties: Map<string, V4PropertyMapping>
    readonly navigations: Map<string, string>
  }
  readonly definition: {
    -readonly [K in keyof EntityTypeDefinition]: EntityTypeDefinition[K]
  } & ComplexTypeDefinition
  /** The names of the key properties in the V2 model, also of derived types; empty for complex types. */
  readonly key: string[]
  /** The names in the scope of the type, inherited ones included. */
  readonly names: V4Names
}

/** Builds the complex types and the entity types with a key, without navigation properties. */
export function buildV4Types(context: V4Context): ReadonlyMap<string, TypeDraft> {
  const drafts = new Map<string, TypeDraft>()
  const { types } = context
  const draftOf = (type: NamedType): TypeDraft => {
    const found = drafts.get(type.qualifiedName)
    if (found !== undefined) return found
    const base = types.v2BaseOf(type)
    const draft = emptyDraft(type, base && draftOf(base), context)
    drafts.set(type.qualifiedName, draft)
    return draft
  }
  for (const type of types.structured.values()) {
    if (type.kind === 'ComplexType' || types.isUsable(type)) draftOf(type)
    else if (!type.isAbstract) context.notice(type.place, 'has no key of simple properties, and was skipped')
  }
  const complete = new Set<TypeDraft>()
  const completeDraft = (draft: TypeDraft): void => {
    if (complete.has(draft)) return
    complete.add(draft)
    const base = types.v2BaseOf(draft.type)
    const baseDraft = base && drafts.get(base.qualifiedName)
    if (baseDraft !== undefined) completeDraft(baseDraft)
    new TypeBuilder(draft, drafts, context).addProperties(baseDraft)
  }
  for (const draft of drafts.values()) completeDraft(draft)
  return drafts
}

function emptyDraft(type: NamedType, base: TypeDraft | undefined, { types, notices }: V4Context): TypeDraft {
  const onNotice = (notice: string): void => {
    notices.push(notice)
  }
  const isRoot = base === undefined
  const stream =
    base?.mapping.stream ?? (types.chain(type).some(({ hasStream }) => hasStream) ? '$value' : undefined)
  return {
    type,
    mapping: {
      name: type.qualifiedName,
      v2Name: type.qualifiedName,
      properties: new Map(),
      navigations: new Map(),
      stream,
    },
    definition: {
      ...(isRoot ? {} : { baseType: base.type.qualifiedName }),
      ...(type.isAbstract && type.kind === 'EntityType' ? { abstract: true } : {}),
      ...(stream !== undefined && base?.mapping.stream === undefined ? { hasStream: true } : {}),
      properties: {},
    },
    key: [],
    names: new V4Names(`property of '${type.qualifiedName}'`, onNotice),
  }
}

class TypeBuilder {
  private readonly definitions: Record<string, PropertyDefinition> = {}
  private stream: string | undefined

  constructor(
    private readonly draft: TypeDraft,
    private readonly drafts: ReadonlyMap<string, TypeDraft>,
    private readonly context: V4Context,
  ) {
    this.stream = draft.mapping.stream
  }

  addProperties(base: TypeDraft | undefined): void {
    const { draft, context } = this
    const { mapping, names, type } = draft
    for (const [name, property] of base?.mapping.properties ?? []) {
      names.unique(name, true)
      mapping.properties.set(name, property)
    }
    if (type.isOpen) context.notice(type.place, 'is an open type: dynamic properties are not served')
    for (const property of context.types.ownMembers(type).properties) this.addProperty(property)
    for (const { path } of context.types.keyOf(type) ?? []) draft.key.push(v2NameOf(mapping.properties, path))
    const isRoot = draft.definition.baseType === undefined && type.kind === 'EntityType'
    Object.assign(draft.definition, { properties: this.definitions, ...(isRoot && { key: draft.key }) })
  }

  private addProperty({ owner, member }: OwnedMember<V4Property>): void {
    const { context, draft } = this
    if (member.isCollection) {
      context.notice(member.place, 'is a collection, which OData V2 does not have, and was skipped')
      return
    }
    const resolved = context.types.resolve(member)
    if (resolved === undefined) return
    const target = `${owner.qualifiedName}/${member.name}`
    if (resolved.kind === 'other' && resolved.name === 'Edm.Stream') {
      this.addStream(member, target)
      return
    }
    const valueType = valueTypeOf(resolved, this.drafts)
    if (valueType === undefined || this.isRecursive(resolved)) {
      const name = resolved.kind === 'structured' ? resolved.type.qualifiedName : resolved.name
      context.notice(member.place, `has the type ${name}, which OData V2 does not have here, and was skipped`)
      return
    }
    if (valueType.kind === 'primitive' && valueType.name === 'Edm.Duration')
      context.notice(member.place, 'is an Edm.Duration, and served as Edm.String')
    const name = draft.names.unique(member.name)
    this.definitions[name] = this.definitionOf(member, resolved, valueType, target)
    draft.mapping.properties.set(name, {
      name: member.name,
      type: valueType,
      nullable: member.nullable,
      precision: resolved.typed.precision,
    })
    context.keepAnnotations(target, `${draft.type.qualifiedName}/${name}`)
  }

  /** Makes entities media link entries: the stream with a media type is their media resource. */
  private addStream(member: V4Property, target: string): void {
    const { context, draft } = this
    const isMedia = annotationOf(context.annotations, target, 'Org.OData.Core.V1.MediaType') !== undefined
    if (this.stream !== undefined || !isMedia || draft.type.kind !== 'EntityType') {
      context.notice(member.place, 'is a further stream, and was skipped')
      return
    }
    this.stream = member.name
    Object.assign(draft.mapping, { stream: member.name })
    Object.assign(draft.definition, { hasStream: true })
  }

  private isRecursive(resolved: ResolvedType): boolean {
    const owner = this.draft.type
    return resolved.kind === 'structured' && owner.kind === 'ComplexType'
      ? reaches(resolved.type, owner, this.context, new Set())
      : false
  }

  private definitionOf(
    property: V4Property,
    { typed }: ResolvedType,
    valueType: V4ValueType,
    target: string,
  ): PropertyDefinition {
    const type = v2TypeName(valueType)
    const isDate = valueType.kind === 'primitive' && valueType.name === 'Edm.Date'
    const isVariable = type === 'Edm.Decimal' && typed.scale === 'variable'
    const { annotations } = this.context
    const isTrue = (term: string): boolean => booleanOf(annotationOf(annotations, target, term)) === true
    return defined({
      type,
      nullable: property.nullable ? undefined : false,
      defaultValue: this.defaultOf(property, valueType),
      maxLength: type === 'Edm.String' || type === 'Edm.Binary' ? typed.maxLength || undefined : undefined,
      unicode: type === 'Edm.String' ? typed.unicode : undefined,
      precision: isDate ? 0 : precisionOf(type, typed.precision),
      scale: type === 'Edm.Decimal' && typeof typed.scale === 'number' ? typed.scale : undefined,
      storeGeneratedPattern: isTrue('Org.OData.Core.V1.Computed') ? ('Computed' as const) : undefined,
      // The media type of a media resource is set with its bytes.
      computedDefaultValue:
        isTrue('Org.OData.Core.V1.ComputedDefaultValue') || isTrue('Org.OData.Core.V1.IsMediaType')
          ? true
          : undefined,
      ...withSap({
        ...(isDate ? { 'display-format': 'Date' } : {}),
        ...(isVariable ? { 'variable-scale': 'true' } : {}),
        ...propertySapAttributes(annotations, target),
      }),
    })
  }

  private defaultOf(property: V4Property, type: V4ValueType): string | undefined {
    const { defaultValue } = property
    if (defaultValue === undefined || type.kind === 'complex') return undefined
    if (type.kind === 'enum') return defaultValue
    const text = type.name === 'Edm.Date' ? `${defaultValue}T00:00:00` : defaultValue
    const normalized = normalizeDefault(type.v2Name, text)
    if (normalized === undefined)
      this.context.notice(property.place, `has the default value '${text}', which was skipped`)
    return normalized
  }
}

function reaches(from: NamedType, to: NamedType, context: V4Context, seen: Set<NamedType>): boolean {
  if (from === to || context.types.isOrInherits(from, to)) return true
  if (seen.has(from)) return false
  seen.add(from)
  return context.types
    .chain(from)
    .flatMap(({ properties }) => properties)
    .some((property) => {
      const inner = context.types.structured.get(property.type)
      return inner !== undefined && reaches(inner, to, context, seen)
    })
}

/** Returns the type of values of a property or parameter; undefined for types without a counterpart in V2. */
export function valueTypeOf(
  resolved: ResolvedType,
  drafts: ReadonlyMap<string, TypeDraft>,
): V4ValueType | undefined {
  switch (resolved.kind) {
    case 'primitive':
      return isV4Primitive(resolved.name)
        ? { kind: 'primitive', name: resolved.name, v2Name: v2Types[resolved.name] }
        : undefined
    case 'enum':
      return { kind: 'enum', name: resolved.name, isFlags: resolved.type.isFlags }
    case 'structured': {
      const draft = drafts.get(resolved.type.qualifiedName)
      return resolved.type.kind === 'ComplexType' && draft !== undefined
        ? { kind: 'complex', type: draft.mapping }
        : undefined
    }
    default:
      return undefined
  }
}

export function v2TypeName(type: V4ValueType): string {
  if (type.kind === 'primitive') return type.v2Name
  return type.kind === 'enum' ? 'Edm.String' : type.type.v2Name
}

function precisionOf(type: string, precision: number | undefined): number | undefined {
  if (precision === undefined) return undefined
  if (type === 'Edm.Decimal') return precision || undefined
  return type === 'Edm.DateTimeOffset' || type === 'Edm.Time' ? Math.min(precision, 7) : undefined
}

/** Returns the name in the V2 model of a property of the V4 service. */
export function v2NameOf(properties: ReadonlyMap<string, V4PropertyMapping>, name: string): string {
  for (const [v2Name, property] of properties) if (property.name === name) return v2Name
  return name
}
