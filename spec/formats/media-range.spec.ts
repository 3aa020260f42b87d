import { parseAccept, parseMediaRange } from '../../lib/formats/media-range.js'
import { inLinearTime } from '../support/linear-time.js'

function names(header: string): string[] | undefined {
  return parseAccept(header)?.map(({ type, subtype, quality }) => `${type}/${subtype} ${quality}`)
}

describe('parseAccept', () => {
  it('MUST read types, wildcards and q values', () => {
    expect(names('text/html, application/*;q=0.5 ,*/*;q=0.125')).toEqual([
      'text/html 1',
      'application/* 0.5',
      '*/* 0.125',
    ])
  })

  it('MUST read names in any case and with blanks around parameters', () => {
    const [range] = parseAccept('Application/JSON ; ODATA = Verbose ; Q=0.3') ?? []
    expect(range).toMatchObject({ type: 'application', subtype: 'json', quality: 0.3 })
    expect([...(range?.parameters ?? [])]).toEqual([['odata', 'verbose']])
  })

  it('MUST read quoted parameters', () => {
    const [range] = parseAccept('application/atom+xml;type="feed";charset="UTF-8"') ?? []
    expect([...(range?.parameters ?? [])]).toEqual([
      ['type', 'feed'],
      ['charset', 'utf-8'],
    ])
  })

  it.each([undefined, '', '  ', ',', ', ,'])('MUST treat %p as an absent header', (header) => {
    expect(parseAccept(header)).toBeUndefined()
  })

  it.each([
    'json',
    'application',
    'application/',
    '/json',
    '*/json',
    'a/b/c',
    'application/json;q=2',
    'application/json;q=-1',
    'application/json;q=0.1234',
    'application/json;q=high',
    'application/json;q',
    'application/json;odata',
    'application/json odata=verbose',
    'application/json;odata="verbose',
    'text/plain; =1',
    'application/json, json',
  ])('MUST treat a malformed header as absent: %s', (header) => {
    expect(parseAccept(header)).toBeUndefined()
  })

  it('MUST allow empty alternatives and empty parameters', () => {
    expect(names(',application/json;,')).toEqual(['application/json 1'])
  })

  it.each([
    ['blanks', `application/json${' '.repeat(1900)}x`],
    ['parameters', `a/b${';a=b'.repeat(450)};`],
    ['semicolons', `a/b${';'.repeat(1900)}x`],
    ['semicolons and blanks', `a/b${'; '.repeat(900)}/`],
    ['quotes', `a/b;c="${'\\"'.repeat(900)}`],
  ])('MUST parse many %s in linear time', (_what, header) => {
    // A longer header is not read. So often, exponential and cubic work on this one takes hours.
    inLinearTime(() => {
      for (let time = 0; time < 5_000; time++) parseAccept(header)
    })
  })

  it('MUST treat a header of more than 2,000 characters as absent', () => {
    expect(parseAccept(`application/json${',application/json'.repeat(120)}`)).toBeUndefined()
  })
})

describe('parseMediaRange', () => {
  it('MUST return undefined for an invalid media type', () => {
    expect(parseMediaRange('verbose')).toBeUndefined()
    expect(parseMediaRange('a'.repeat(3000))).toBeUndefined()
  })
})
