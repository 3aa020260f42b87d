import { parseNamePaths } from '../../lib/uri/parse-query-options.js'
import { errorOf } from '../support/error-of.js'

function pathsOf(text: string): string[] {
  return parseNamePaths(text, '$select').map(({ names }) => names.join('/'))
}

describe('The syntax of $expand and $select (MS-ODATA 2.2.3.6.1.3, 2.2.3.6.1.11)', () => {
  it('MUST parse names joined by slashes, separated by commas, in any order and with blanks around commas', () => {
    expect(pathsOf('Products')).toEqual(['Products'])
    expect(pathsOf(' A/B/C ,\tD , * , E/* ')).toEqual(['A/B/C', 'D', '*', 'E/*'])
    expect(pathsOf('A,A/B,A')).toEqual(['A', 'A/B', 'A'])
    expect(pathsOf('Größe/Über_1')).toEqual(['Größe/Über_1'])
  })

  it('MUST report where each path begins', () => {
    expect(parseNamePaths('A/B, C', '$expand').map(({ position }) => position)).toEqual([0, 5])
  })

  it.each([
    ['', 0, 'Expected a name'],
    [',', 0, 'Expected a name'],
    ['A,', 2, 'Expected a name'],
    ['A,,B', 2, 'Expected a name'],
    ['A/', 2, 'Expected a name'],
    ['/A', 0, 'Expected a name'],
    ['A//B', 2, 'Expected a name'],
    ['A /B', 2, "Expected ',' or the end"],
    ['A/ B', 2, 'Expected a name'],
    ['A B', 2, "Expected ',' or the end"],
    ['A($top=1)', 1, "Expected ',' or the end"],
    ['A(1)', 1, "Expected ',' or the end"],
    ['A;B', 1, "Expected ',' or the end"],
    ["'A'", 0, 'Expected a name'],
    ['1A', 0, 'Expected a name'],
    ['NW.Person/A', 2, "Expected ',' or the end"],
    ['**', 1, "Expected ',' or the end"],
  ])('MUST respond with 400 to %j and point at %i', (text, position, message) => {
    const error = errorOf(() => parseNamePaths(text, '$expand'))
    expect(error).toMatchObject({
      code: 'InvalidSystemQueryOption',
      status: 400,
      details: { position, source: text },
    })
    expect(error.message).toContain(`$expand: ${message}.`)
  })
})
