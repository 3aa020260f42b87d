import { parseArguments, UsageError } from '../../lib/command-line/arguments.js'

describe('The command line', () => {
  it('MUST take a directory and have defaults for all else', () => {
    expect(parseArguments(['./public'])).toEqual({
      directory: './public',
      port: 4004,
      pageSize: undefined,
      verbose: false,
      help: false,
    })
  })

  it('MUST take options before and behind the directory', () => {
    expect(parseArguments(['--port', '80', 'files', '--page-size=5', '--verbose'])).toMatchObject({
      directory: 'files',
      port: 80,
      pageSize: 5,
      verbose: true,
    })
  })

  it.each([
    [[], 'Which directory is to be served?'],
    [['a', 'b'], "Only one directory can be served, not also 'b'."],
    [['a', '--prot', '1'], "There is no option '--prot'. Did you mean '--port'?"],
    [['a', '--port', 'x'], "--port must be a whole number up to 65535, not 'x'."],
    [['a', '--port', '70000'], "--port must be a whole number up to 65535, not '70000'."],
    [['a', '--page-size', '-1'], '--page-size'],
    [['a', '--port'], '--port'],
  ])('MUST refuse %j and say what to write', (words, message) => {
    expect(() => parseArguments(words)).toThrow(UsageError)
    expect(() => parseArguments(words)).toThrow(message)
  })

  it('MUST explain itself without a directory', () => {
    expect(parseArguments(['--help']).help).toBe(true)
  })
})
