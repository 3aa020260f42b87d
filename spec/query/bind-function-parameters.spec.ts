import { defineModel } from '../../lib/edm/define-model.js'
import type { FunctionImport } from '../../lib/edm/edm-model.js'
import type { FunctionParameterDefinition } from '../../lib/edm/model-definition.js'
import { bindFunctionParameters } from '../../lib/query/bind-resource-path.js'
import { parseQueryOptions } from '../../lib/uri/parse-query-options.js'
import { errorOf } from '../support/error-of.js'

function functionWith(parameters: Record<string, FunctionParameterDefinition>): FunctionImport {
  const model = defineModel({
    namespace: 'F',
    entityTypes: { E: { key: ['k'], properties: { k: { type: 'Edm.Int32' } } } },
    entityContainer: {
      entitySets: { Es: { entityType: 'E' } },
      functionImports: { Fn: { returnType: 'Edm.Int32', parameters } },
    },
  })
  const found = model.defaultContainer.functionImport('Fn')
  if (found === undefined) throw new Error('The model has no function.')
  return found
}

function bind(
  parameters: Record<string, FunctionParameterDefinition>,
  query: string,
): Readonly<Record<string, unknown>> {
  return bindFunctionParameters(functionWith(parameters), parseQueryOptions(query))
}

describe('Parameters of service operations (MS-ODATA 2.2.3.6.2)', () => {
  it.each([
    ['Edm.Int16', 'p=5', 5],
    ['Edm.Int64', 'p=5L', 5n],
    ['Edm.Int64', 'p=9007199254740993', 9007199254740993n],
    ['Edm.Decimal', 'p=2.50', '2.50'],
    ['Edm.Double', 'p=1E%2B3D', 1000],
    ['Edm.Boolean', 'p=1', true],
    ['Edm.Boolean', 'p=false', false],
    ['Edm.String', "p='it''s+me'", "it's me"],
    ['Edm.String', "p='a%26b%2Bc'", 'a&b+c'],
    ['Edm.String', "p=+'x'%20", 'x'],
    ['Edm.DateTime', "p=datetime'2012-05-29T09:13:28'", new Date('2012-05-29T09:13:28Z')],
    ['Edm.DateTimeOffset', "p=datetimeoffset'2012-05-29T09:13:28+02:00'", '2012-05-29T09:13:28+02:00'],
    ['Edm.Binary', "p=X''", new Uint8Array(0)],
    ['Edm.Int32', 'p=null', null],
  ] as const)('MUST parse a literal of %s from %s', (type, query, value) => {
    expect(bind({ p: { type } }, query)).toEqual({ p: value })
  })

  it.each<[FunctionParameterDefinition, string, string]>([
    [
      { type: 'Edm.String', maxLength: 3 },
      "p='abcd'",
      "The parameter 'p' must not be longer than 3 characters",
    ],
    [{ type: 'Edm.Binary', maxLength: 1 }, "p=X'0001'", "The parameter 'p' must not be longer than 1 bytes"],
    [
      { type: 'Edm.Decimal', precision: 4, scale: 2 },
      'p=1.234M',
      "The parameter 'p' must not have more than 2 digits",
    ],
    [
      { type: 'Edm.Decimal', precision: 4, scale: 2 },
      'p=123.4M',
      "The parameter 'p' must not have more than 2 digits",
    ],
  ])('MUST enforce the facets of %j: %s', (parameter, query, message) => {
    const error = errorOf(() => bind({ p: parameter }, query))
    expect([error.status, error.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('MUST treat an absent parameter as null', () => {
    expect(bind({ a: { type: 'Edm.Int32' }, b: { type: 'Edm.String' } }, "b='x'&other=1&$top=1")).toEqual({
      a: null,
      b: 'x',
    })
  })

  it('MUST respond with 400 to an absent parameter that is not nullable', () => {
    expect(errorOf(() => bind({ p: { type: 'Edm.Int32', nullable: false } }, 'q=1'))).toMatchObject({
      code: 'BadRequest',
      status: 400,
      message: "The parameter 'p' is missing.",
    })
  })

  it.each([
    ['P=1', 'P', 'p'],
    ['p=1&lenght=2', 'lenght', 'length'],
    ['other=1&p=1&Length=2', 'Length', 'length'],
  ])(
    'MUST respond with 400 to %s, which resembles the name of a missing parameter',
    (query, given, meant) => {
      const parameters = { p: { type: 'Edm.Int32' }, length: { type: 'Edm.Int32' } } as const
      expect(errorOf(() => bind(parameters, query))).toMatchObject({
        code: 'BadRequest',
        status: 400,
        message: `The function 'Fn' has no parameter '${given}'. Did you mean '${meant}'?`,
      })
    },
  )

  it.each(['p=1&length=2&P=3&lenght=4', 'p=1&lang=EN', 'p=1&_=5', 'sap-language=EN&search=x'])(
    'MUST ignore other custom query options: %s',
    (query) => {
      const parameters = { p: { type: 'Edm.Int32' }, length: { type: 'Edm.Int32' } } as const
      expect(Object.keys(bind(parameters, query))).toEqual(['p', 'length'])
    },
  )

  it('MUST respond with 400 to null for a parameter that is not nullable', () => {
    expect(errorOf(() => bind({ p: { type: 'Edm.Int32', nullable: false } }, 'p=null'))).toMatchObject({
      code: 'BadRequest',
      status: 400,
      message: "The parameter 'p' cannot be null.",
    })
  })

  it('MUST respond with 400 to a duplicate parameter', () => {
    expect(errorOf(() => bind({ p: { type: 'Edm.Int32' } }, 'p=1&%70=1'))).toMatchObject({
      code: 'BadRequest',
      status: 400,
      message: "The parameter 'p' is specified twice.",
    })
  })

  it.each([
    ['Edm.Int32', 'p='],
    ['Edm.Int32', 'p'],
    ['Edm.Int32', 'p=x'],
    ['Edm.Int32', "p='1'"],
    ['Edm.Int32', 'p=1.5'],
    ['Edm.Int32', 'p=2147483648'],
    ['Edm.Int32', 'p=1+2'],
    ['Edm.Int32', 'p=1,2'],
    ['Edm.Int32', 'p=(1)'],
    ['Edm.Boolean', 'p=2'],
    ['Edm.Boolean', 'p=TRUE'],
    ['Edm.String', 'p=x'],
    ['Edm.DateTime', "p='2012-05-29T09:13:28'"],
    ['Edm.DateTime', "p=datetime'2012-02-30T00:00:00'"],
    ['Edm.Guid', "p=guid'x'"],
  ] as const)('MUST respond with 400 to an invalid literal of %s: %s', (type, query) => {
    const error = errorOf(() => bind({ p: { type } }, query))
    expect(error).toMatchObject({ code: 'BadRequest', status: 400, details: { position: 0 } })
    expect(error.message).toContain(`Parameter 'p': expected a literal of ${type}. At position 0:`)
  })

  it.each(["p='x", "p=guid'x", 'p=5x'])('MUST respond with 400 to the malformed literal of %s', (query) => {
    const error = errorOf(() => bind({ p: { type: 'Edm.String' } }, query))
    expect(error).toMatchObject({ code: 'BadRequest', status: 400 })
    expect(error.message).toContain("Parameter 'p': ")
  })
})
