import { defineModel } from '../../lib/edm/define-model.js'
import type { EntityType } from '../../lib/edm/edm-model.js'
import type { PrimitiveTypeName } from '../../lib/edm/primitive-types/primitive-type-name.js'
import { bindKeyPredicate } from '../../lib/query/bind-key-predicate.js'
import { parsePathSegment } from '../../lib/uri/split-resource-path.js'
import { errorOf } from '../support/error-of.js'
import { setNamed } from '../support/protocol-model.js'

function bind(predicate: string, type: EntityType): Readonly<Record<string, unknown>> {
  const { key } = parsePathSegment(predicate)
  if (key === undefined) throw new Error('There is no key.')
  return bindKeyPredicate(key, type)
}

function keyIn(set: string, predicate: string): Readonly<Record<string, unknown>> {
  return bind(predicate, setNamed(set).entityType)
}

/** A type whose only key property is of a simple type. */
function keyedBy(type: PrimitiveTypeName): EntityType {
  const model = defineModel({
    namespace: 'K',
    entityTypes: { E: { key: ['k'], properties: { k: { type, nullable: false } } } },
    entityContainer: { entitySets: { Es: { entityType: 'E' } } },
  })
  const set = model.defaultContainer.entitySet('Es')
  if (set === undefined) throw new Error('The model has no set.')
  return set.entityType
}

const guid = '12345678-aaaa-bbbb-cccc-ddddeeeeffff'

describe('Key predicates (MS-ODATA 2.2.3.1)', () => {
  it('MUST accept a single key with and without its name', () => {
    expect(keyIn('Categories', '(1)')).toEqual({ ID: 1 })
    expect(keyIn('Categories', '(ID=1)')).toEqual({ ID: 1 })
    expect(keyIn('Categories', '( ID = 1 )')).toEqual({ ID: 1 })
    expect(keyIn('Files', "('/a/it''s')")).toEqual({ path: "/a/it's" })
  })

  it('MUST accept the named values of a compound key in any order and return them in the order of the key', () => {
    for (const predicate of ['(Order=7,No=2)', '(No=2,Order=7)', '( No = 2 , Order = 7 )']) {
      const key = keyIn('Lines', predicate)
      expect(key).toEqual({ Order: 7, No: 2 })
      expect(Object.keys(key)).toEqual(['Order', 'No'])
    }
  })

  it.each([
    ['Edm.Boolean', '(true)', true],
    ['Edm.Boolean', '(1)', true],
    ['Edm.Boolean', '(k=0)', false],
    ['Edm.Byte', '(255)', 255],
    ['Edm.SByte', '(-1)', -1],
    ['Edm.Int16', '(5)', 5],
    ['Edm.Int32', '(-5)', -5],
    ['Edm.Int64', '(5L)', 5n],
    ['Edm.Int64', '(9007199254740993)', 9007199254740993n],
    ['Edm.Decimal', '(2.50M)', '2.50'],
    ['Edm.Decimal', '(2.5)', '2.5'],
    ['Edm.Double', '(2.5D)', 2.5],
    ['Edm.Double', '(1E+3)', 1000],
    ['Edm.Single', '(2.5F)', 2.5],
    ['Edm.String', "('a')", 'a'],
    ['Edm.Guid', `(GUID'${guid.toUpperCase()}')`, guid],
    ['Edm.Binary', "(X'0f')", Uint8Array.of(15)],
    ['Edm.DateTime', "(datetime'2012-05-29T09:13:28')", new Date('2012-05-29T09:13:28Z')],
    ['Edm.DateTimeOffset', "(datetimeoffset'2012-05-29T09:13:28+02:00')", '2012-05-29T09:13:28+02:00'],
    ['Edm.Time', "(time'PT09H13M28S')", '09:13:28'],
  ] as const)('MUST accept a key of %s as %s', (type, predicate, value) => {
    expect(bind(predicate, keyedBy(type))).toEqual({ k: value })
  })

  it.each([
    [
      'Categories',
      "('1')",
      "the value of 'ID' must be a literal of Edm.Int32. Write numbers without quotes: 1.",
    ],
    ['Categories', '(1L)', "the value of 'ID' must be a literal of Edm.Int32"],
    ['Categories', '(1.0)', "the value of 'ID' must be a literal of Edm.Int32"],
    ['Categories', '(true)', "the value of 'ID' must be a literal of Edm.Int32"],
    ['Categories', '(null)', "the value of 'ID' must be a literal of Edm.Int32"],
    ['Categories', '(2147483648)', "the value of 'ID' must be a literal of Edm.Int32"],
    ['Categories', '(-99999999999999999999)', "the value of 'ID' must be a literal of Edm.Int32"],
    [
      'Files',
      '(1)',
      "the value of 'path' must be a literal of Edm.String. Put strings in single quotes: '1'.",
    ],
    ['Files', '(null)', "the value of 'path' must be a literal of Edm.String"],
    ['Lines', '(Order=7,No=32768)', "the value of 'No' must be a literal of Edm.Int16"],
    ['Lines', '(Order=null,No=1)', "the value of 'Order' must be a literal of Edm.Int32"],
    ['Lines', '(7)', "the key of 'Line' is (Order=…,No=…)"],
    ['Lines', '(7,2)', "the key of 'Line' is (Order=…,No=…)"],
    ['Lines', '(7,No=2)', "the key of 'Line' is (Order=…,No=…)"],
    ['Lines', '(Order=7,2)', "the key of 'Line' is (Order=…,No=…)"],
    ['Lines', '(Order=7)', "the key of 'Line' is (Order=…,No=…)"],
    ['Lines', '(Order=7,Order=7)', "'Order' is specified twice"],
    ['Lines', '(Order=7,No=2,No=2)', "'No' is specified twice"],
    ['Lines', '(Order=7,No=2,Text=1)', "the key of 'Line' is (Order=…,No=…)"],
    ['Lines', '(Order=7,no=2)', "the key of 'Line' is (Order=…,No=…). Did you mean 'No'?"],
    ['Categories', '(Name=1)', "the key of 'Category' is one literal of Edm.Int32"],
    ['Categories', '(Id=1)', "the key of 'Category' is one literal of Edm.Int32. Did you mean 'ID'?"],
    ['Categories', '(1,2)', "the key of 'Category' is one literal of Edm.Int32"],
    ['Categories', '(ID=1,ID=1)', "'ID' is specified twice"],
    ['Categories', '(__proto__=1)', "the key of 'Category' is one literal of Edm.Int32"],
  ])('MUST respond with 400 to %s%s', (set, predicate, message) => {
    const error = errorOf(() => keyIn(set, predicate))
    expect(error).toMatchObject({ code: 'BadRequest', status: 400 })
    expect(error.message).toBe(`Resource path: ${message}${/[.?]$/.test(message) ? '' : '.'}`)
  })

  it('MUST respond with 404 to a string that is longer than MaxLength of the key', () => {
    expect(keyIn('Files', `('${'a'.repeat(1024)}')`)).toEqual({ path: 'a'.repeat(1024) })
    expect(errorOf(() => keyIn('Files', `('${'a'.repeat(1025)}')`))).toMatchObject({
      code: 'ResourceNotFound',
      status: 404,
    })
  })
})
