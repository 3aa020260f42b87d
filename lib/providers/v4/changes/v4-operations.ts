import type { V4OperationMapping, V4ParameterMapping } from '../../../csdl/v4/v4-mapping.js'
import { ODataError } from '../../../errors/odata-error.js'
import type { Row } from '../../../evaluation/row.js'
import type { ProviderCall } from '../../../provider/provider-call.js'
import type { FunctionHandler } from '../../../provider/provider.js'
import { required } from '../../../util/required.js'
import { badGateway } from '../../upstream/upstream-errors.js'
import { v4Literal } from '../v4-literals.js'
import { toV4Json } from '../v4-rows.js'
import type { V4Service } from '../v4-service.js'
import type { UpstreamChange } from '../../upstream/upstream-change.js'
import { sendChange } from '../../upstream/send-change.js'
import { queuedEntities } from '../../upstream/upstream-change-set.js'

type Parameters = Readonly<Record<string, unknown>>

/** Returns handlers that call the functions and actions of a V4 service, by path of the function import. */
export function v4Functions(service: V4Service): Record<string, FunctionHandler> {
  const handlers: Record<string, FunctionHandler> = {}
  for (const [path, operation] of service.model.operations) {
    handlers[path] = (parameters, _context, call) => callOperation(service, operation, parameters, call)
  }
  return handlers
}

async function callOperation(
  service: V4Service,
  operation: V4OperationMapping,
  parameters: Parameters,
  call: ProviderCall,
): Promise<unknown> {
  const { kind, binding, returns } = operation
  const prefix = binding === undefined ? '' : `${boundPath(service, binding, parameters, call)}/`
  const hasEtag = binding?.key !== undefined && service.model.set(binding.set).hasEtag
  const headers = { 'if-match': hasEtag ? (call.ifMatch ?? '*') : undefined }
  const name = operation.name.split('.').map(encodeURIComponent).join('.')
  const change: UpstreamChange =
    kind === 'Function'
      ? { method: 'GET', path: `${prefix}${name}(${literalsOf(operation, parameters)})`, headers }
      : { method: 'POST', path: prefix + name, headers, body: bodyOf(operation, parameters) }
  const { body } = await sendChange(service, change, call)
  if (returns === undefined || body === undefined) return returns?.isCollection === true ? [] : undefined
  const { converters } = service.model
  const one = (value: unknown): unknown =>
    value === null || value === undefined
      ? undefined
      : converters.convertValue(value, returns.type, `the result of '${operation.name}'`)
  if (!returns.isCollection) return one(returns.type.kind === 'complex' ? body : body.value)
  if (!Array.isArray(body.value))
    throw badGateway(`The V4 service sent no collection from '${operation.name}'.`)
  return body.value.map(one)
}

/** Returns the path of the entity or collection that an operation is bound to. */
function boundPath(
  { model }: V4Service,
  { set, key }: NonNullable<V4OperationMapping['binding']>,
  parameters: Parameters,
  call: ProviderCall,
): string {
  if (key === undefined) return encodeURIComponent(model.set(set).name)
  const row: Row = Object.fromEntries([...key].map(([property, name]) => [property, parameters[name]]))
  const path = queuedEntities(call)?.reference(set, row) ?? model.entityPath(set, row)
  if (path === undefined) throw new ODataError('ResourceNotFound')
  return path
}

/** Returns the parameters of a request: absent ones are omitted if that is allowed. */
function givenParameters(
  { parameters: declared }: V4OperationMapping,
  parameters: Parameters,
): readonly (readonly [V4ParameterMapping, unknown])[] {
  return [...declared].flatMap(([name, parameter]): (readonly [V4ParameterMapping, unknown])[] => {
    const value = parameters[name] ?? null
    return value === null && (parameter.isOptional || !parameter.nullable) ? [] : [[parameter, value]]
  })
}

function literalsOf(operation: V4OperationMapping, parameters: Parameters): string {
  return givenParameters(operation, parameters)
    .map(([parameter, value]) => {
      const literal = v4Literal(value, { ...parameter, precision: parameter.precision ?? 3 })
      if (literal === undefined) throw invalidParameter(parameter)
      return `${encodeURIComponent(parameter.name)}=${encodeURIComponent(literal)}`
    })
    .join()
}

function bodyOf(operation: V4OperationMapping, parameters: Parameters): object {
  return Object.fromEntries(
    givenParameters(operation, parameters).map(([parameter, value]) => {
      const json = toV4Json(value, parameter.type)
      if (json === undefined) throw invalidParameter(parameter)
      return [required(parameter.name), json]
    }),
  )
}

function invalidParameter({ name }: V4ParameterMapping): ODataError {
  return new ODataError('BadRequest', {
    message: `'${name}': the upstream service has no such values, for example a date with a time.`,
  })
}
