import { parseFilter } from '../../lib/uri/parse-expression.js'
import { printExpression } from './print-expression.js'

describe('Printing expressions', () => {
  it.each([
    ['a  eq   5', 'a eq 5'],
    ['((a eq 5))', 'a eq 5'],
    ['(a add b) mul c', '(a add b) mul c'],
    ['(a mul b) add c', 'a mul b add c'],
    ['a sub (b sub c)', 'a sub (b sub c)'],
    ['(a sub b) sub c', 'a sub b sub c'],
    ['not(a or b)', 'not (a or b)'],
    ['not(not(a))', 'not not a'],
    ['(not a) eq b', 'not a eq b'],
    ['not (a eq b)', 'not (a eq b)'],
    ['-a', '- a'],
    ['-5', '-5'],
    ['- 5', '- 5'],
    ['-(-5)', '- -5'],
    ['-(a add b)', '- (a add b)'],
    ["f( 'it''s' , a/b )", "f('it''s',a/b)"],
    ["cast('NW.Person')/Email eq null", "cast('NW.Person')/Email eq null"],
    ['5l', '5L'],
    ['2.5m', '2.5M'],
    ['1e5d', '1e5D'],
    ['2.5f', '2.5F'],
    ['Nand', 'NaND'],
    ['-INFf', '-INFF'],
    ["GUID'x'", "guid'x'"],
    ["X'0F'", "binary'0F'"],
    ["DATETIME'2012-05-29T09:13'", "datetime'2012-05-29T09:13'"],
    ["datetimeoffset'2012-05-29T09:13:28Z'", "datetimeoffset'2012-05-29T09:13:28Z'"],
    ["Time'PT1H'", "time'PT1H'"],
    ['true', 'true'],
    ['null', 'null'],
    ['not eq 1', '(not) eq 1'],
    ['not (eq)', 'not (eq)'],
  ])('MUST print %j as %j', (text, printed) => {
    expect(printExpression(parseFilter(text))).toBe(printed)
  })
})
