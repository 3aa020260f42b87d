import { labelOf } from '../../edm/annotations.js'
import type { FunctionImport, FunctionParameter } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { FunctionCall, RequestTarget } from '../../query/request-target.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { entityResponse, pageResponse, response, responseContent } from './components.js'
import type { DocumentBuilder } from './document-builder.js'
import type { JsonObject } from './json.js'
import { objectSchema, present } from './json.js'
import { descriptionOf, paragraphs } from './names.js'
import { queryParameters } from './query-parameters.js'
import { collectionOf } from './type-schemas.js'
import { literalSample, literalSchema } from './value-schemas.js'

/** The tag of functions that return no entities. */
export const FUNCTION_TAG = 'Functions'

/** Adds a function import. @spec MS-ODATA 2.2.3.5 (URI 10 to 14) */
export function addFunctionPath(functionImport: FunctionImport, builder: DocumentBuilder): void {
  const target = targetOf(functionImport)
  if (target === undefined) return
  const { path, entitySet, parameters, returnType } = functionImport
  const operation = (verb: string) => () => ({
    verb,
    summary: labelOf(functionImport) ?? `Call ${path}`,
    description: descriptionOf(functionImport),
    parameters: [
      ...parameters.map(parameterOf),
      ...(returnType === undefined ? [] : queryParameters(target, builder)),
    ],
    responses: responsesOf(functionImport, builder),
  })
  builder.addPath(
    { path: `/${percentEncode(path)}`, name: path, tag: entitySet?.path ?? FUNCTION_TAG, parameters: [] },
    { GET: operation('call'), POST: operation('call_by_post') },
    target,
  )
}

/** @returns undefined for a function that returns entities of an unknown set */
function targetOf(functionImport: FunctionImport): RequestTarget | undefined {
  const { returnType, entitySet: set } = functionImport
  const call: FunctionCall = { functionImport, parameters: {} }
  if (!returnsEntities(functionImport)) return { kind: 'FunctionImport', call }
  if (set === undefined) return undefined
  return returnType?.isCollection === true
    ? { kind: 'EntitySet', collection: { kind: 'ReturnedEntities', call, set } }
    : { kind: 'Entity', entity: { kind: 'ReturnedEntity', call, set } }
}

function returnsEntities({ returnType }: FunctionImport): boolean {
  const type = returnType?.type
  return type !== undefined && !isPrimitive(type) && type.kind === 'EntityType'
}

function parameterOf(parameter: FunctionParameter): JsonObject {
  return present({
    name: parameter.name,
    in: 'query',
    required: !parameter.nullable,
    description: paragraphs(labelOf(parameter), descriptionOf(parameter)),
    schema: literalSchema(parameter),
    example: literalSample(parameter),
  })
}

function responsesOf({ returnType, name }: FunctionImport, builder: DocumentBuilder): JsonObject {
  if (returnType === undefined) return { '204': response('Done') }
  const { type, isCollection } = returnType
  if (!isPrimitive(type) && type.kind === 'EntityType') {
    const { settings } = builder
    if (isCollection) return { '200': pageResponse(type, builder) }
    const noEntity = settings.nullNavigation === 204 ? { '204': response('Done') } : {}
    return { '200': entityResponse(type, builder), ...noEntity, '404': response('NotFound') }
  }
  const value = builder.values.orNull(type)
  const schema = isCollection ? collectionOf(value) : objectSchema({ [name]: value })
  const content = responseContent(schema, 'application/xml')
  return { '200': { description: `The result of ${name}.`, content } }
}
