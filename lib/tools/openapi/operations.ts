import type { EntityType } from '../../edm/edm-model.js'
import type { RequestTarget } from '../../query/request-target.js'
import { cleanName } from './component-names.js'
import type { DescribedMethod, DescribedService } from './described-service.js'
import { isVersioned } from './described-service.js'
import type { JsonObject } from './json.js'
import { present, reference } from './json.js'

/** What differs between operations. */
export interface OperationParts {
  /** Of the resource: `Products`, `Products_Category`. */
  readonly name: string
  /** What the operation does: `list`, `read`. */
  readonly verb: string
  readonly summary: string
  readonly tag: string
  readonly description?: string | undefined
  readonly parameters?: readonly JsonObject[]
  readonly requestBody?: JsonObject | undefined
  readonly responses: JsonObject
}

/** An operation whose failures are those that all have. */
export function operation(
  method: DescribedMethod,
  parts: OperationParts,
  { operationIds, settings }: DescribedService,
): JsonObject {
  const { name, verb, summary, tag, description, parameters = [], requestBody, responses } = parts
  const isProtected = method !== 'GET' && settings.csrf !== undefined
  const all = isProtected ? [...parameters, reference('parameters', 'x-csrf-token')] : parameters
  return present({
    tags: [tag],
    operationId: operationIds.add(`${cleanName(name)}_${verb}`),
    summary,
    description,
    parameters: all,
    requestBody,
    responses: { ...responses, default: response('Error') },
  })
}

export function response(name: string): JsonObject {
  return reference('responses', name)
}

/** A path with those of its operations that the service has. */
export function pathItem(
  path: string,
  parameters: readonly JsonObject[],
  operations: readonly (readonly [DescribedMethod, JsonObject | undefined])[],
): Record<string, JsonObject> {
  const there = operations.filter(([, one]) => one !== undefined)
  if (there.length === 0) return {}
  const methods = Object.fromEntries(there.map(([method, one]) => [method.toLowerCase(), one]))
  return { [path]: present({ parameters, ...methods }) }
}

/** The operation of a method if the service allows it on the resource. */
export function ifAllowed(
  method: DescribedMethod,
  target: RequestTarget,
  service: DescribedService,
  parts: () => OperationParts,
): readonly [DescribedMethod, JsonObject | undefined] {
  return [method, service.allows(method, target) ? operation(method, parts(), service) : undefined]
}

/** Headers and answers of reading what may be in the version that the client has. */
export function readingVersion(type: EntityType): {
  readonly parameters: readonly JsonObject[]
  readonly responses: JsonObject
} {
  if (isVersioned(type) === 'never') return { parameters: [], responses: {} }
  return {
    parameters: [reference('parameters', 'If-None-Match')],
    responses: { '304': response('NotModified') },
  }
}

/** Headers and answers of a change of an entity that is to be in the version that the client knows. */
export function changingVersion(type: EntityType): {
  readonly parameters: readonly JsonObject[]
  readonly responses: JsonObject
} {
  const versioned = isVersioned(type)
  if (versioned === 'never') return { parameters: [], responses: {} }
  const name = versioned === 'always' ? 'If-Match' : 'If-Match.optional'
  return {
    parameters: [reference('parameters', name)],
    responses: { '412': response('PreconditionFailed'), '428': response('PreconditionRequired') },
  }
}
