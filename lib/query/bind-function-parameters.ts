import type { FunctionImport, FunctionParameter } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import { parseLiteral } from '../uri/parse-literal.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { Scanner } from '../uri/scanner.js'
import { literalAs } from './bind-literal.js'

/**
 * The parameters of a function import: custom query options with their names, whose values are literals.
 *
 * @throws ODataError BadRequest for a literal of another type, a parameter that is given twice, and a missing one
 * that cannot be null
 * @spec MS-ODATA 2.2.3.6.2 (service operation parameters)
 */
export function bindFunctionParameters(
  { parameters }: FunctionImport,
  options: QueryOptions,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, bindParameter(parameter, options)]),
  )
}

function bindParameter(parameter: FunctionParameter, { custom }: QueryOptions): unknown {
  const [option, second] = custom.filter(([name]) => name === parameter.name)
  if (second !== undefined) throw invalid(parameter, 'is given twice')
  if (option === undefined) {
    if (!parameter.nullable) throw invalid(parameter, 'is missing')
    return null
  }
  const value = literalValue(option[1], parameter)
  if (value === null && !parameter.nullable) throw invalid(parameter, 'cannot be null')
  return value
}

function literalValue(text: string, parameter: FunctionParameter): unknown {
  const scanner = new Scanner(text, `Parameter '${parameter.name}'`, 'BadRequest')
  scanner.skipSpace()
  const literal = parseLiteral(scanner)
  scanner.skipSpace()
  const bound = literal === undefined || !scanner.atEnd ? undefined : literalAs(literal, parameter.type, true)
  if (bound === undefined) throw scanner.error(`expected a literal of ${parameter.type}`, 0)
  return bound.value
}

function invalid({ name }: FunctionParameter, what: string): ODataError {
  return new ODataError('BadRequest', { message: `The parameter '${name}' ${what}.` })
}
