import type { FunctionImportDefinition, FunctionParameterDefinition } from '../../edm/model-definition.js'
import { defined } from '../csdl-reader.js'
import type { SetDraft } from './build-v4-sets.js'
import { navigationsFrom, targetSetOf } from './build-v4-sets.js'
import type { TypeDraft } from './build-v4-types.js'
import { v2TypeName, valueTypeOf } from './build-v4-types.js'
import { annotationOf } from './v4-annotations.js'
import type { V4Context } from './v4-context.js'
import type { V4Container, V4Operation, V4OperationImport, V4Parameter, V4Typed } from './v4-document.js'
import type { V4OperationMapping, V4ParameterMapping, V4ValueType } from './v4-mapping.js'
import { V4Names } from './v4-names.js'
import { withSap } from './v4-sap-attributes.js'

/** The function imports of the V2 model. */
export interface V4Operations {
  readonly definitions: Readonly<Record<string, FunctionImportDefinition>>
  readonly mappings: ReadonlyMap<string, V4OperationMapping>
  /** The names of the function imports of bound operations, by qualified name of the operation and by set. */
  readonly bound: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** Builds function imports for the imports of functions and actions, and for operations that are bound to sets. */
export class OperationBuilder {
  private readonly definitions: Record<string, FunctionImportDefinition> = {}
  private readonly mappings = new Map<string, V4OperationMapping>()
  private readonly bound = new Map<string, Map<string, string>>()

  constructor(
    private readonly context: V4Context,
    private readonly drafts: ReadonlyMap<string, TypeDraft>,
    private readonly sets: readonly SetDraft[],
    private readonly names: V4Names,
  ) {}

  build(container: V4Container & { readonly qualifiedName: string }): V4Operations {
    const operations = this.context.document.schemas.flatMap((schema) =>
      schema.operations.map((operation) => ({
        operation,
        qualifiedName: `${schema.namespace}.${operation.name}`,
      })),
    )
    for (const one of container.imports) {
      const overloads = operations.filter(
        ({ operation, qualifiedName }) => !operation.isBound && qualifiedName === one.operation,
      )
      if (overloads.length === 0)
        this.context.errors.add(one.place, `there is no unbound operation '${one.operation}'.`)
      for (const { operation, qualifiedName } of overloads)
        this.addImport(one, operation, qualifiedName, container.qualifiedName)
    }
    for (const { operation, qualifiedName } of operations)
      if (operation.isBound) this.addBound(operation, qualifiedName)
    return { definitions: this.definitions, mappings: this.mappings, bound: this.bound }
  }

  private addImport(
    one: V4OperationImport,
    operation: V4Operation,
    qualifiedName: string,
    container: string,
  ): void {
    const parameters = this.parametersOf(operation, operation.parameters, qualifiedName)
    const result = this.resultOf(operation, () => this.importedSet(one))
    if (parameters === undefined || result === undefined) return
    const name = this.names.unique(one.name)
    this.context.keepAnnotations(`${container}/${one.name}`, `${container}/${name}`)
    this.add(name, operation, { name: one.name, ...parameters, ...result })
  }

  private importedSet({ entitySet }: V4OperationImport): SetDraft | undefined {
    const name = entitySet?.split('/').at(-1)
    return this.sets.find((set) => set.path.length === 0 && set.root.name === name)
  }

  private addBound(operation: V4Operation, qualifiedName: string): void {
    const [binding, ...others] = operation.parameters
    const type = binding && this.drafts.get(binding.type)?.type
    if (binding === undefined || type === undefined || type.kind !== 'EntityType') return
    const sets = this.sets.filter(
      (set) => set.mapping.kind !== 'Contained' && this.context.types.isOrInherits(set.type, type),
    )
    for (const set of sets) {
      const parameters = this.parametersOf(operation, others, qualifiedName, binding, set)
      const result = this.resultOf(operation, () => this.resultSet(operation, binding, set))
      if (parameters === undefined || result === undefined) return
      const name = this.names.unique(`${set.name}_${operation.name}`)
      const byOperation = this.bound.get(qualifiedName) ?? new Map<string, string>()
      this.bound.set(qualifiedName, byOperation.set(set.name, name))
      this.add(name, operation, {
        name: qualifiedName,
        ...parameters,
        ...result,
        binding: { set: set.name, key: parameters.key },
        actionFor: set.type.qualifiedName,
      })
    }
  }

  /** Returns the set of the result: that of the binding parameter, or the target of a path from it. */
  private resultSet(operation: V4Operation, binding: V4Parameter, set: SetDraft): SetDraft | undefined {
    const [first, ...path] = operation.entitySetPath?.split('/') ?? []
    if (first !== binding.name) {
      const type = operation.returnType && this.drafts.get(operation.returnType.type)?.type
      return type !== undefined && this.context.types.isOrInherits(type, set.type) ? set : undefined
    }
    let found: SetDraft | undefined = set
    for (const name of path.filter((part) => !part.includes('.'))) {
      const from: SetDraft | undefined = found
      const step: ReturnType<typeof navigationsFrom>[number] | undefined =
        from && navigationsFrom(from.type, this.context).find(({ member }) => member.name === name)
      found = from && step && targetSetOf(from, step.owner, step.member, this.sets)
    }
    return found
  }

  private parametersOf(
    operation: V4Operation,
    own: readonly V4Parameter[],
    qualifiedName: string,
    binding?: V4Parameter,
    set?: SetDraft,
  ): OperationParameters | undefined {
    const { context } = this
    const names = new V4Names(`parameter of '${qualifiedName}'`, (notice) => context.notices.push(notice))
    const definitions: Record<string, FunctionParameterDefinition> = {}
    const parameters = new Map<string, V4ParameterMapping>()
    const key =
      binding?.isCollection === false && set ? this.keyParameters(set, names, definitions) : undefined
    for (const parameter of own) {
      const resolved = context.types.resolve(parameter)
      const type = resolved && valueTypeOf(resolved, this.drafts)
      if (type === undefined || type.kind === 'complex' || parameter.isCollection) {
        context.notice(
          operation.place,
          `was skipped: its parameter '${parameter.name}' is not a simple value`,
        )
        return undefined
      }
      const target = `${qualifiedName}/${parameter.name}`
      const isOptional =
        annotationOf(context.annotations, target, 'Org.OData.Core.V1.OptionalParameter') !== undefined
      const name = names.unique(parameter.name)
      const nullable = parameter.nullable || isOptional
      definitions[name] = parameterDefinition(type, resolved?.typed ?? parameter, nullable)
      parameters.set(name, {
        name: parameter.name,
        type,
        nullable: parameter.nullable,
        precision: parameter.precision,
        isOptional,
      })
    }
    return { definitions, parameters, key }
  }

  private keyParameters(
    set: SetDraft,
    names: V4Names,
    definitions: Record<string, FunctionParameterDefinition>,
  ): ReadonlyMap<string, string> {
    const { mapping, key } = this.drafts.get(set.type.qualifiedName) ?? { key: [] }
    const found = new Map<string, string>()
    for (const property of key) {
      const type = mapping?.properties.get(property)?.type
      if (type === undefined) continue
      const name = names.unique(property)
      found.set(property, name)
      definitions[name] = { type: v2TypeName(type), nullable: false }
    }
    return found
  }

  private resultOf(operation: V4Operation, setOf: () => SetDraft | undefined): OperationResult | undefined {
    const { returnType } = operation
    if (returnType === undefined) return {}
    const { context } = this
    const resolved = context.types.resolve({ ...returnType, place: operation.place })
    if (resolved === undefined) return undefined
    const { isCollection } = returnType
    const wrapped = (name: string): string => (isCollection ? `Collection(${name})` : name)
    if (resolved.kind === 'structured' && resolved.type.kind === 'EntityType') {
      const draft = this.drafts.get(resolved.type.qualifiedName)
      const set = draft && (setOf() ?? this.onlySetOf(draft))
      if (draft !== undefined && set !== undefined)
        return {
          returnType: wrapped(draft.type.qualifiedName),
          entitySet: set.name,
          returns: { type: { kind: 'complex', type: draft.mapping }, isCollection },
        }
    }
    const type = valueTypeOf(resolved, this.drafts)
    if (type !== undefined) return { returnType: wrapped(v2TypeName(type)), returns: { type, isCollection } }
    context.notice(operation.place, 'was skipped: OData V2 cannot return its result')
    return undefined
  }

  private onlySetOf({ type }: TypeDraft): SetDraft | undefined {
    const found = this.sets.filter((set) => set.type === type && set.path.length === 0)
    return found.length === 1 ? found[0] : undefined
  }

  private add(name: string, { kind }: V4Operation, given: GivenOperation): void {
    const { returnType, entitySet, definitions, actionFor, binding, parameters, returns } = given
    this.definitions[name] = defined({
      returnType,
      entitySet,
      httpMethod: kind === 'Function' ? ('GET' as const) : ('POST' as const),
      parameters: definitions,
      ...withSap({ 'action-for': actionFor }),
    })
    this.mappings.set(name, { kind, name: given.name, binding, parameters, returns })
  }
}

interface OperationParameters {
  readonly definitions: Readonly<Record<string, FunctionParameterDefinition>>
  readonly parameters: ReadonlyMap<string, V4ParameterMapping>
  /** Names of key parameters by property; undefined for operations that are not bound to an entity. */
  readonly key: ReadonlyMap<string, string> | undefined
}

interface OperationResult {
  readonly returnType?: string
  readonly entitySet?: string
  readonly returns?: V4OperationMapping['returns']
}

interface GivenOperation extends OperationParameters, OperationResult {
  readonly name: string
  readonly binding?: V4OperationMapping['binding']
  readonly actionFor?: string
}

function parameterDefinition(
  type: V4ValueType,
  { maxLength, precision, scale }: V4Typed,
  nullable: boolean,
): FunctionParameterDefinition {
  const name = v2TypeName(type)
  return defined({
    type: name,
    nullable,
    maxLength: name === 'Edm.String' || name === 'Edm.Binary' ? maxLength || undefined : undefined,
    precision: name === 'Edm.Decimal' ? precision || undefined : undefined,
    scale: name === 'Edm.Decimal' && typeof scale === 'number' ? scale : undefined,
  })
}
