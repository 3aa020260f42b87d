import type { ComplexType, FunctionImport, FunctionParameter } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { FunctionCall, RequestTarget } from '../../query/request-target.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import type { DescribedService } from './described-service.js'
import { document, inD } from './entity-components.js'
import type { JsonObject } from './json.js'
import { present, reference } from './json.js'
import { ifAllowed, pathItem, response } from './operations.js'
import { queryParameters } from './query-parameters.js'
import { descriptionOf, labelOf } from './texts.js'
import { literalSample, literalSchema } from './value-schemas.js'

/** The tag of functions that return no entities. */
export const functionTag = 'Functions'

/** A function import. @spec MS-ODATA 2.2.3.5 (URI 10 to 14) */
export function functionPath(
  functionImport: FunctionImport,
  service: DescribedService,
): Record<string, JsonObject> {
  const target = targetOf(functionImport)
  if (target === undefined) return {}
  const { path, entitySet, parameters, returnType } = functionImport
  // Where there is nothing to return there is no form of it.
  const options = returnType === undefined ? [] : queryParameters(target, service)
  const parts = (verb: string) => () => ({
    name: path,
    verb,
    tag: entitySet?.path ?? functionTag,
    summary: labelOf(functionImport) ?? `Call ${path}`,
    description: descriptionOf(functionImport),
    parameters: [...parameters.map(parameterOf), ...options],
    responses: responsesOf(functionImport, service),
  })
  return pathItem(
    `/${percentEncode(path)}`,
    [],
    [
      ifAllowed('GET', target, service, parts('call')),
      ifAllowed('POST', target, service, parts('call_by_post')),
    ],
  )
}

/** Undefined for one of which the model does not say where its entities are from. */
function targetOf(functionImport: FunctionImport): RequestTarget | undefined {
  const { returnType, entitySet } = functionImport
  const call: FunctionCall = { functionImport, parameters: {} }
  const type = returnType?.type
  if (returnType === undefined || type === undefined || isPrimitive(type) || type.kind === 'ComplexType') {
    return { kind: 'FunctionImport', call }
  }
  if (entitySet === undefined) return undefined
  return returnType.isCollection
    ? { kind: 'EntitySet', collection: { kind: 'ReturnedEntities', call, set: entitySet } }
    : { kind: 'Entity', entity: { kind: 'ReturnedEntity', call, set: entitySet } }
}

function parameterOf(parameter: FunctionParameter): JsonObject {
  const texts = [labelOf(parameter), descriptionOf(parameter)].filter((one) => one !== undefined)
  return present({
    name: parameter.name,
    in: 'query',
    required: !parameter.nullable,
    description: texts.length === 0 ? undefined : texts.join('\n\n'),
    schema: literalSchema(parameter),
    example: literalSample(parameter),
  })
}

function responsesOf(functionImport: FunctionImport, service: DescribedService): JsonObject {
  const { returnType, name } = functionImport
  if (returnType === undefined) return { '204': response('Done') }
  const { type, isCollection } = returnType
  if (!isPrimitive(type) && type.kind === 'EntityType') {
    const { names, settings } = service
    if (isCollection) return { '200': response(`${names.of(type)}.page`) }
    const nothing = settings.nullNavigation === 204 ? { '204': response('Done') } : {}
    return { '200': response(names.of(type)), ...nothing, '404': response('NotFound') }
  }
  const content = document(inD(valueSchema(name, type, isCollection, service)), 'application/xml')
  return { '200': { description: `What ${name} returns.`, content } }
}

function valueSchema(
  name: string,
  type: PrimitiveTypeName | ComplexType,
  isCollection: boolean,
  { values }: DescribedService,
): JsonObject {
  if (!isCollection) return { type: 'object', required: [name], properties: { [name]: values.orNull(type) } }
  return {
    allOf: [reference('schemas', 'Results'), { properties: { results: { items: values.orNull(type) } } }],
  }
}
