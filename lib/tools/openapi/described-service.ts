import type { EdmModel, EntitySet, EntityType } from '../../edm/edm-model.js'
import type { SapRestrictions } from '../../edm/sap-annotations.js'
import { sapRestrictionsOf } from '../../edm/sap-annotations.js'
import type { Settings } from '../../options.js'
import type { RequestTarget } from '../../query/request-target.js'
import type { CanWrite } from '../../data/provider-calls.js'
import { isFunctionCall } from '../../query/request-target.js'
import { methodsOf } from '../../resources/resources.js'
import { methodRefusal } from '../../resources/sap-method-restrictions.js'
import { ComponentNames, UniqueNames } from './component-names.js'
import type { JsonObject } from './json.js'
import { reference } from './json.js'
import { ValueSchemas } from './value-schemas.js'

/** The methods that an OpenAPI document has words for; `MERGE` is not among them. */
export type DescribedMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type SharedKind = 'parameters' | 'requestBodies' | 'responses'

/** What is described: a model, and what a service of it allows. */
export class DescribedService {
  readonly names: ComponentNames
  readonly values: ValueSchemas
  readonly operationIds = new UniqueNames()
  /** What operations have in common, as far as it is known from them alone. */
  readonly components: Readonly<Record<SharedKind, Record<string, JsonObject>>> = {
    parameters: {},
    requestBodies: {},
    responses: {},
  }
  /** What annotations forbid to clients; undefined when there are none, or they are ignored. */
  readonly sap: SapRestrictions | undefined

  constructor(
    readonly model: EdmModel,
    readonly settings: Settings,
    private readonly canWrite: CanWrite,
  ) {
    this.names = new ComponentNames(model)
    this.values = new ValueSchemas(this.names, settings.doubleAsNumber)
    this.sap = settings.sapRestrictions ? sapRestrictionsOf(model) : undefined
  }

  /**
   * A reference to a component that several operations have in common; it is kept when it is first referred to.
   *
   * @param name the same for the same component only
   */
  shared(kind: SharedKind, name: string, component: () => JsonObject): JsonObject {
    this.components[kind][name] ??= component()
    return reference(kind, name)
  }

  get entitySets(): readonly EntitySet[] {
    return this.model.entityContainers.flatMap(({ entitySets }) => entitySets)
  }

  /** Whether the service answers a method on a resource: it asks the same questions as the service does. */
  allows(method: DescribedMethod, target: RequestTarget): boolean {
    const table = methodsOf(target, this.canWrite, this.settings.readOnly)
    if (table[method] === undefined) return false
    return this.sap === undefined || isFunctionCall(target)
      ? true
      : methodRefusal(method, target, this.sap) === undefined
  }

  takesMedia(set: EntitySet): boolean {
    return this.canWrite(set, 'media.insert') || this.canWrite(set, 'media.write')
  }
}

/** Whether entities of a type, or of one derived from it, have a version that changes must name. */
export function isVersioned(type: EntityType): 'always' | 'sometimes' | 'never' {
  if (type.concurrencyTokens.length > 0) return 'always'
  return type.derivedTypes.some(({ concurrencyTokens }) => concurrencyTokens.length > 0)
    ? 'sometimes'
    : 'never'
}
