import type { CanWrite } from '../../data/can-write.js'
import { opaqueTagsOf, setsWithOptionalIfMatch } from '../../data/opaque-tags.js'
import type { AnalyticalSet } from '../../edm/analytical-set.js'
import type { EdmModel, EntitySet, EntityType } from '../../edm/edm-model.js'
import { entitySetsOf } from '../../edm/edm-model.js'
import type { SapRestrictions } from '../../edm/sap-annotations.js'
import { enforcedRestrictions, sapRestrictionsOf } from '../../edm/sap-annotations.js'
import type { Settings } from '../../options.js'
import type { Provider } from '../../provider/provider.js'
import type { CollectionSource, RequestTarget } from '../../query/request-target.js'
import { addressedSource, isFunctionCall } from '../../query/request-target.js'
import { methodsOf } from '../../resources/resources.js'
import { methodRefusal } from '../../resources/sap-restrictions.js'
import type { JsonObject } from './json.js'
import { present, reference } from './json.js'
import { cleanName, ComponentNames, UniqueNames } from './names.js'
import { ValueSchemas } from './value-schemas.js'

/** The methods that OpenAPI can describe: all of OData but `MERGE`. */
export type DescribedMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A path of the document, with the common properties of its operations. */
export interface ResourcePath {
  readonly path: string
  /** Prefix of the operation ids: `Products`, `Products_Category`. */
  readonly name: string
  readonly tag: string
  /** Parameters of the path itself, such as keys. */
  readonly parameters: readonly JsonObject[]
}

/** An operation without the members that follow from its path and the options of the service. */
export interface Operation {
  /** Suffix of the operation id: `list`, `read`. */
  readonly verb: string
  readonly summary: string
  readonly description?: string | undefined
  readonly parameters?: readonly JsonObject[]
  readonly requestBody?: JsonObject | undefined
  readonly responses: JsonObject
}

/** Creates an operation; undefined where the service does not have it. */
type CreateOperation = () => Operation | undefined

/** Collects the paths and components of a document, according to the capabilities of the service. */
export class DocumentBuilder {
  readonly names: ComponentNames
  readonly values: ValueSchemas
  readonly paths: Record<string, JsonObject> = {}
  /** Parameters that operations add when they first refer to them. */
  readonly parameters: Record<string, JsonObject> = {}
  /** Restrictions by SAP annotations; undefined when the service ignores them. */
  readonly sap: SapRestrictions | undefined
  /** Analytical sets by path: the model of a document in another language is a copy. */
  private readonly analyticalSets: ReadonlyMap<string, AnalyticalSet>
  /** The types whose ETags come from the provider, by qualified name, and whether all of their entities have one. */
  readonly taggedTypes: ReadonlyMap<string, 'always' | 'sometimes'>
  private readonly operationIds = new UniqueNames()

  constructor(
    readonly model: EdmModel,
    readonly settings: Settings,
    private readonly canWrite: CanWrite,
    provider: Pick<Provider, 'entitySets'> | undefined,
  ) {
    const tags = provider && opaqueTagsOf(provider)
    const optional = provider && setsWithOptionalIfMatch(provider)
    const tagged = entitySetsOf(model).filter(({ path }) => tags?.has(path) === true)
    this.taggedTypes = new Map(
      tagged.map(({ entityType, path }) => [
        entityType.qualifiedName,
        optional?.has(path) === true ? 'sometimes' : 'always',
      ]),
    )
    this.names = new ComponentNames(model)
    this.values = new ValueSchemas(this.names, settings.doubleAsNumber)
    this.sap = enforcedRestrictions(sapRestrictionsOf(model), settings.sapRestrictions)
    const analytical = settings.analytics?.sets.values() ?? []
    this.analyticalSets = new Map([...analytical].map((one) => [one.set.path, one]))
  }

  /** Returns the analytical set whose groups are the entities of a set. */
  groupsOf({ set }: Pick<CollectionSource, 'set'>): AnalyticalSet | undefined {
    return this.analyticalSets.get(set.path)
  }

  /** Returns true if the entities of a type are groups. */
  isGroup({ qualifiedName }: EntityType): boolean {
    return [...this.analyticalSets.values()].some(({ set }) => set.entityType.qualifiedName === qualifiedName)
  }

  get entitySets(): readonly EntitySet[] {
    return entitySetsOf(this.model)
  }

  /** Returns a reference to a parameter, and adds the parameter at the first call with its name. */
  shareParameter(name: string, create: () => JsonObject): JsonObject {
    this.parameters[name] ??= create()
    return reference('parameters', name)
  }

  /**
   * Adds a path with the operations that the service has; a path without operations is omitted.
   *
   * @param target the resource whose methods the service decides on; omitted when all operations exist
   */
  addPath(
    resource: ResourcePath,
    operations: Readonly<Partial<Record<DescribedMethod, CreateOperation>>>,
    target?: RequestTarget,
  ): void {
    const members: Record<string, JsonObject> = {}
    for (const [method, create] of Object.entries(operations) as [DescribedMethod, CreateOperation][]) {
      if (target !== undefined && !this.allows(method, target)) continue
      const operation = create()
      if (operation !== undefined) members[method.toLowerCase()] = this.complete(method, operation, resource)
    }
    if (Object.keys(members).length === 0) return
    this.paths[resource.path] = present({ parameters: resource.parameters, ...members })
  }

  /** Returns true if the service supports a method on a resource. Uses the method tables of the service itself. */
  allows(method: DescribedMethod, target: RequestTarget): boolean {
    if (methodsOf(target, this.canWrite, this.settings.readOnly)[method] === undefined) return false
    const source = addressedSource(target)
    if (method !== 'GET' && source !== undefined && this.groupsOf(source) !== undefined) return false
    if (this.sap === undefined || isFunctionCall(target)) return true
    return methodRefusal(method, target, this.sap) === undefined
  }

  acceptsMedia(set: EntitySet): boolean {
    return this.canWrite(set, 'media.insert') || this.canWrite(set, 'media.write')
  }

  private complete(method: DescribedMethod, operation: Operation, { name, tag }: ResourcePath): JsonObject {
    const { verb, summary, description, parameters = [], requestBody, responses } = operation
    const needsToken = method !== 'GET' && this.settings.csrf !== undefined
    return present({
      tags: [tag],
      operationId: this.operationIds.add(`${cleanName(name)}_${verb}`),
      summary,
      description,
      parameters: needsToken ? [...parameters, reference('parameters', 'x-csrf-token')] : parameters,
      requestBody,
      responses: { ...responses, default: reference('responses', 'Error') },
    })
  }
}
