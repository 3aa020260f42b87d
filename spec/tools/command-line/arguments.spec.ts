import { UsageError } from '../../../lib/tools/command-line/errors.js'
import { parseServeArguments } from '../../../lib/tools/command-line/serve-arguments.js'

describe('parseServeArguments', () => {
  it('MUST require only a source', () => {
    expect(parseServeArguments(['./public'])).toEqual({
      sources: [{ source: './public', path: '', data: undefined }],
      mock: { generate: false, rows: undefined, seed: undefined, etags: false, persist: false, watch: false },
      host: '127.0.0.1',
      allowedHosts: [],
      port: 4004,
      pageSize: undefined,
      writable: false,
      keys: {},
      tables: [],
      search: {},
      invalidAsNull: false,
      csrf: false,
      exports: false,
      flattenInheritance: false,
      sapRestrictions: true,
      serviceRoot: undefined,
      open: false,
      verbose: false,
      problems: { delay: undefined, errorPercent: 0 },
    })
  })

  it('MUST accept several sources with their paths and directories', () => {
    const words = [
      'a.edmx=/sap/A',
      'b.edmx=/sap/B/',
      'shop.sqlite',
      '--data',
      'x=/sap/B',
      '--data',
      'y=/sap/A',
    ]
    expect(parseServeArguments(words).sources).toEqual([
      { source: 'a.edmx', path: '/sap/A', data: 'y' },
      { source: 'b.edmx', path: '/sap/B', data: 'x' },
      { source: 'shop.sqlite', path: '', data: undefined },
    ])
    expect(parseServeArguments(['a.edmx=/sap/A', '--data', 'x']).sources[0]?.data).toBe('x')
  })

  it.each([
    ['postgres:///db?host=/var/run/postgresql', 'postgres:///db?host=/var/run/postgresql', ''],
    ['postgres:///db?host=/tmp&user=a=/sales', 'postgres:///db?host=/tmp&user=a', '/sales'],
    ['postgres://u:p@host/db=/sales', 'postgres://u:p@host/db', '/sales'],
    ['a=b.edmx', 'a=b.edmx', ''],
    ['a=b.edmx=/', 'a=b.edmx', ''],
  ])('MUST distinguish paths from other parts of a source: %s', (word, source, path) => {
    expect(parseServeArguments([word]).sources).toEqual([{ source, path, data: undefined }])
  })

  it('MUST accept options before and after the source', () => {
    expect(parseServeArguments(['--port', '80', 'files', '--page-size=5', '--verbose'])).toMatchObject({
      sources: [{ source: 'files' }],
      port: 80,
      pageSize: 5,
      verbose: true,
    })
  })

  it('MUST accept a delay, a range of delays and a share of errors', () => {
    expect(parseServeArguments(['a', '--delay', '500', '--error-rate', '10']).problems).toEqual({
      delay: [500, 500],
      errorPercent: 10,
    })
    expect(parseServeArguments(['a', '--delay=200-800']).problems.delay).toEqual([200, 800])
  })

  it('MUST serve several sources without paths at their names, and a single one at the root', () => {
    const pathsOf = (...words: readonly string[]): readonly string[] =>
      parseServeArguments(words).sources.map(({ path }) => path)
    expect(pathsOf('sales.csv.gz', 'x/two words.parquet', './documents', 'parquet:./y', 'a.edmx=/A')).toEqual(
      ['/sales', '/two%20words', '/documents', '/y', '/A'],
    )
    expect(pathsOf('postgres://user@host:5/shop?a=b', 'shop.v2.sqlite')).toEqual(['/shop', '/shop.v2'])
    expect(pathsOf('sales.csv', 'a.edmx=/A')).toEqual(['', '/A'])
  })

  it.each([
    [['a', '--delay', '800-200'], "or a range such as 200-800, not '800-200'."],
    [['a', '--delay', '1s'], '--delay must be milliseconds up to 600000'],
    [['a', '--error-rate', '101'], '--error-rate must be a whole number up to 100'],
    [[], 'Which source do you want to serve?'],
    [['a', ''], 'Which source do you want to serve?'],
    [['a', 'x/a.csv'], "'a' and 'x/a.csv' have the same path, '/a/'. Append another one: x/a.csv=/path"],
    [['a=/x', 'b=/x/'], "'a=/x' and 'b=/x/' have the same path, '/x/'. Append another one: b=/path"],
    [['a=/x y'], "'/x y' must be a percent-encoded path such as /sap/opu/odata/sap/SALES."],
    [['a=/x', 'b=/y', '--data', 'd'], 'Append the path of its service to --data: d=/x'],
    [['a=/one', 'b=/two', '--data', 'd=/tow'], "no source has the path '/tow'. Did you mean '/two'?"],
    [['a', '--data', 'd', '--data', 'e'], 'Name only one --data for each source.'],
    [
      ['a=/x', 'b=/y', '--data', 'd=/x', '--data', './d=/y', '--persist'],
      'With --persist, each source needs a --data directory of its own.',
    ],
    [['a', '--prot', '1'], "There is no option '--prot'. Did you mean '--port'?"],
    [['a', '--port', 'x'], "--port must be a whole number up to 65535, not 'x'."],
    [['a', '--port', '70000'], "--port must be a whole number up to 65535, not '70000'."],
    [['a', '--page-size', '-1'], '--page-size'],
    [['a', '--port'], '--port'],
    [['a', '--writeable'], "There is no option '--writeable'. Did you mean '--writable'?"],
    [['a', '--writ'], "There is no option '--writ'. Did you mean '--writable'?"],
    [['a', '--writable=yes'], '--writable'],
    [['a', '-x'], "'-x'"],
    [['a', '--key', 'Totals'], "--key must be written <view>=<column>,<column>..., not 'Totals'."],
    [['a', '--service-root', '/odata'], '--service-root must be a URL'],
  ])('MUST reject %j with a hint', (words, message) => {
    expect(() => parseServeArguments(words)).toThrow(UsageError)
    expect(() => parseServeArguments(words)).toThrow(message)
  })
})
