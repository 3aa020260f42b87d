import { bindSkipToken } from '../../lib/query/bind-skip-token.js'
import { orderOn } from '../support/expressions.js'
import { faultOf } from '../support/faults.js'
import { setNamed } from '../support/protocol-model.js'

function seekIn(set: string, orderBy: string, token: string): readonly unknown[] {
  return bindSkipToken(token, orderBy === '' ? [] : orderOn(set, orderBy), setNamed(set).entityType)
}

describe('Continuation tokens (MS-ODATA 2.2.3.6.1.9)', () => {
  it.each([
    ['Products', '', '20', [20]],
    ['Products', 'Name desc', "'Gouda',56", ['Gouda', 56]],
    ['Products', 'Name', "'a,b''c,''',1", ["a,b'c,'", 1]],
    ['Products', 'Name', 'null,1', [null, 1]],
    ['Products', 'ID', '1,1', [1, 1]],
    ['Lines', '', '7,2', [7, 2]],
    ['Lines', 'Text', "'x',7,2", ['x', 7, 2]],
    ['Files', '', "'/docs/a.txt'", ['/docs/a.txt']],
    ['Products', 'Price', '2.50M,1', ['2.50', 1]],
    ['Products', 'Price', '2.50,1', ['2.50', 1]],
    ['Products', 'Stock', '9007199254740993L,1', [9007199254740993n, 1]],
    ['Products', 'Stock', '5,1', [5n, 1]],
    ['Products', 'Stock add 1', '9223372036854775808L,1', [9223372036854775808n, 1]],
    ['Products', 'ID mul 2', '4294967294,1', [4294967294, 1]],
    ['Products', 'Weight', 'NaND,1', [Number.NaN, 1]],
    ['Products', 'Weight desc', '-INFD,1', [Number.NEGATIVE_INFINITY, 1]],
    ['Products', 'Discount', '0.1F,1', [Math.fround(0.1), 1]],
    ['Products', 'Active', 'true,1', [true, 1]],
    ['Products', 'ID eq 1', 'false,1', [false, 1]],
    ['Products', 'Released', "datetime'2012-05-29T09:13:28.1234567',1", ['2012-05-29T09:13:28.1234567', 1]],
    ['Products', 'Changed', "datetimeoffset'2012-05-29T09:13:28 02:00',1", ['2012-05-29T09:13:28+02:00', 1]],
    ['Products', 'Opens', "time'PT09H13M28S',1", ['09:13:28', 1]],
    ['Products', 'Pic', "binary'0FA0',1", [Uint8Array.of(15, 160), 1]],
    ['Products', 'Category/Name,length(Name)', "'x',4,1", ['x', 4, 1]],
    ['Products', 'null', 'null,1', [null, 1]],
  ])('MUST read on %s in the order %j the token %s', (set, orderBy, token, values) => {
    expect(seekIn(set, orderBy, token)).toEqual(values)
  })

  it.each([
    ['Products', '', '1,2', 'it must hold 1 values for this order, not 2'],
    ['Products', 'Name', '1', 'it must hold 2 values for this order, not 1'],
    ['Products', 'Name,Price', "'a',1", 'it must hold 3 values for this order, not 2'],
    ['Lines', '', '7', 'it must hold 2 values for this order, not 1'],
    ['Lines', 'Text', "'a,b',7", 'it must hold 3 values for this order, not 2'],
  ])('MUST answer 400 on %s in the order %j to the length of %s', (set, orderBy, token, message) => {
    const fault = faultOf(() => seekIn(set, orderBy, token))
    expect(fault).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400 })
    expect(fault.message).toBe(`$skiptoken: ${message}.`)
  })

  it.each([
    ['Products', '', "'1'", 0, 'value 1 must be Edm.Int32'],
    ['Products', '', '1.5', 0, 'value 1 must be Edm.Int32'],
    ['Products', '', '1L', 0, 'value 1 must be Edm.Int32'],
    ['Products', 'Name', '5,1', 0, 'value 1 must be Edm.String'],
    ['Products', 'Name', "'a', 'b'", 5, 'value 2 must be Edm.Int32'],
    ['Products', 'Active', '1,1', 0, 'value 1 must be Edm.Boolean'],
    ['Products', 'Released', "datetime'2012-02-30T00:00:00',1", 0, 'value 1 must be Edm.DateTime'],
    ['Products', 'Released', "'2012-05-29',1", 0, 'value 1 must be Edm.DateTime'],
    ['Products', 'Price', '2.5D,1', 0, 'value 1 must be Edm.Decimal'],
    ['Products', 'null', '5,1', 0, 'value 1 must be null'],
    ['Lines', '', '7,true', 2, 'value 2 must be Edm.Int16'],
    ['Products', '', 'x', 0, 'Expected a literal'],
    ['Products', '', '1;2', 1, "Expected ',' or the end"],
  ])(
    'MUST answer 400 on %s in the order %j to %s and point at %i',
    (set, orderBy, token, position, message) => {
      const fault = faultOf(() => seekIn(set, orderBy, token))
      expect(fault).toMatchObject({
        code: 'InvalidSystemQueryOption',
        status: 400,
        details: { position, source: token },
      })
      expect(fault.message).toContain(`$skiptoken: ${message}.`)
    },
  )
})
