import { valueFault } from '../edm/check-value.js'
import type { FunctionImport, FunctionParameter } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import { parseLiteral } from '../uri/parse-literal.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { Scanner } from '../uri/scanner.js'
import { literalAs } from './bind-literal.js'
import type { FunctionCall } from './request-target.js'

/**
 * A call of a function import. Its parameters are bound when they are asked for: a request by a method that the
 * function does not have is told of that, and OPTIONS needs none.
 */
export class BoundFunctionCall implements FunctionCall {
  private bound: FunctionCall['parameters'] | undefined

  constructor(
    readonly functionImport: FunctionImport,
    private readonly options: QueryOptions,
  ) {}

  /** @throws ODataError BadRequest, see {@link bindFunctionParameters} */
  get parameters(): FunctionCall['parameters'] {
    return (this.bound ??= bindFunctionParameters(this.functionImport, this.options))
  }
}

/**
 * The parameters of a function import: custom query options with their names, whose values are literals.
 *
 * @throws ODataError BadRequest for a literal of another type or against a facet, a parameter that is given twice, a missing one that
 * cannot be null, and a name that is nearly the one of a missing parameter
 * @spec MS-ODATA 2.2.3.6.2 (service operation parameters)
 */
export function bindFunctionParameters(
  functionImport: FunctionImport,
  options: QueryOptions,
): Readonly<Record<string, unknown>> {
  const { parameters } = functionImport
  checkNames(functionImport, options)
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, bindParameter(parameter, options)]),
  )
}

/**
 * Other custom query options may be given, but one that is nearly a parameter must not leave that parameter null
 * without a word.
 */
function checkNames({ path, parameters }: FunctionImport, { custom }: QueryOptions): void {
  const absent = parameters
    .map(({ name }) => name)
    .filter((name) => !custom.some(([given]) => given === name))
  if (absent.length === 0) return
  for (const [given] of custom) {
    if (parameters.some(({ name }) => name === given)) continue
    const suggestion = didYouMean(given, absent)
    if (suggestion === '') continue
    throw new ODataError('BadRequest', {
      message: `The function '${path}' has no parameter '${given}'.${suggestion}`,
    })
  }
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
  const fault = valueFault(parameter, value)
  if (fault !== undefined) throw invalid(parameter, fault)
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
