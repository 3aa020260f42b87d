import { ODataError, errorAt } from '../../lib/errors/odata-error.js'

describe('errorAt', () => {
  it('MUST name the position and put a caret under the character in question', () => {
    const error = errorAt('An operand is missing', 'Price gt  and Name', 10)
    expect(error).toBeInstanceOf(ODataError)
    expect(error.code).toBe('InvalidSystemQueryOption')
    expect(error.status).toBe(400)
    expect(error.details).toEqual({ position: 10, source: 'Price gt  and Name' })
    expect(error.message.split('\n')).toEqual([
      'An operand is missing. At position 10:',
      'Price gt  and Name',
      '          ^',
    ])
  })

  it('MUST keep the end of a sentence as it is', () => {
    const first = (message: string): string | undefined => errorAt(message, 'x', 0).message.split('\n')[0]
    expect(first('Unknown.')).toBe('Unknown. At position 0:')
    expect(first("Unknown. Did you mean 'Name'?")).toBe("Unknown. Did you mean 'Name'? At position 0:")
  })

  it('MUST point to the end of the text when the text ends too early', () => {
    expect(errorAt('The expression ends here', 'a eq', 4).message.split('\n').slice(1)).toEqual([
      'a eq',
      '    ^',
    ])
  })

  it('MUST quote only the characters around the error of a long input', () => {
    const source = `${'a'.repeat(100)}!${'b'.repeat(100)}`
    const [, line, pointer] = errorAt('Odd', source, 100).message.split('\n')
    expect(line).toBe(`…${'a'.repeat(60)}!${'b'.repeat(59)}…`)
    expect(pointer?.indexOf('^')).toBe(line?.indexOf('!'))
  })

  it('MUST print the input on one line, with the same width', () => {
    const [, line, pointer] = errorAt('Odd', 'a\t\r\nb', 4).message.split('\n')
    expect([line, pointer]).toEqual(['a   b', '    ^'])
  })

  it('MUST accept another code', () => {
    expect(errorAt('The literal is malformed', 'Products(x)', 9, 'BadRequest').code).toBe('BadRequest')
  })
})
