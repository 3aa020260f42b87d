import type { FunctionImport, FunctionParameter } from '../edm/edm-model.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import { JsonNumber, parseJson } from '../formats/json/parse-json.js'
import type { JsonValue } from '../formats/json/parse-json.js'
import { parseSimpleValue } from '../formats/json/read-simple-values.js'
import { parseMediaRange } from '../formats/media-range.js'
import { readBody } from '../http/request-body.js'
import { calledFunction } from '../query/request-target.js'
import type { RequestTarget } from '../query/request-target.js'
import { describeValue } from '../util/describe-value.js'
import { required } from '../util/required.js'
import type { RequestSession } from './request-session.js'

/**
 * Returns the target of a function call by POST, with the parameters in the body of the request. OData V2 has parameters
 * in the URI only; many clients send them as JSON or as a form.
 *
 * @throws ODataError BadRequest for a body with other members than parameters; UnsupportedMediaType
 */
export async function targetWithBody(session: RequestSession): Promise<RequestTarget> {
  const { request, service, settings } = session
  const { plan, view } = session.binding
  const { target } = plan
  const bytes = await readBody(request.body(), settings.limits.bodyBytes)
  const text = new TextDecoder().decode(bytes).trim()
  if (text === '') return target
  const literals = literalsIn(text, request.header('content-type'), required(calledFunction(target)))
  if (literals.length === 0) return target
  const options = literals.map((pair) => pair.map(encodeURIComponent).join('='))
  const separator = request.relativeUri.includes('?') ? '&' : '?'
  return (view ?? service).plans.of(request.relativeUri + separator + options.join('&')).target
}

/** Returns names and URI literals of the parameters in a body. */
function literalsIn(
  text: string,
  contentType: string | undefined,
  called: FunctionImport,
): [string, string][] {
  const media = parseMediaRange(contentType ?? '')
  switch (media && `${media.type}/${media.subtype}`) {
    case 'application/json':
      return literalsInJson(parseJson(text), called)
    case 'application/x-www-form-urlencoded':
      return [...new URLSearchParams(text)].map(([name, literal]) => [
        parameterOf(called, name).name,
        literal,
      ])
    default:
      throw new ODataError('UnsupportedMediaType', {
        message: `The parameters of '${called.path}' belong in the URI. A body with parameters must be application/json or application/x-www-form-urlencoded.`,
      })
  }
}

function literalsInJson(json: JsonValue, called: FunctionImport): [string, string][] {
  if (!(json instanceof Map)) {
    throw new ODataError('BadRequest', {
      message: `The body of a call of '${called.path}' must be a JSON object with its parameters.`,
    })
  }
  return [...(json as ReadonlyMap<string, JsonValue>)].map(([name, value]) => {
    const { type } = parameterOf(called, name)
    const parsed = value === null ? null : parseSimpleValue(type, value)
    if (parsed === undefined) {
      const found = value instanceof JsonNumber ? value.text : describeValue(value)
      throw new ODataError('BadRequest', {
        message: `The parameter '${name}': ${found} is not a valid ${type}.`,
      })
    }
    return [name, parsed === null ? 'null' : primitiveTypes[type].formatLiteral(parsed)]
  })
}

function parameterOf({ path, parameters }: FunctionImport, name: string): FunctionParameter {
  const found = parameters.find((one) => one.name === name)
  if (found !== undefined) return found
  const names = parameters.map((one) => one.name)
  throw new ODataError('BadRequest', {
    message: `The function '${path}' has no parameter '${name}'.${didYouMean(name, names)} The body can only contain parameters.`,
  })
}
