import { compareStrings } from '../../../lib/edm/primitive-types/primitive-type.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { ExpressionCompiler } from '../../../lib/evaluation/compile-expression.js'
import { withoutNavigation } from '../../../lib/evaluation/evaluation-context.js'
import { fileModel } from '../../../lib/providers/file-system/file-model.js'
import type { PathInterval } from '../../../lib/providers/file-system/path-interval.js'
import {
  contains,
  intersection,
  intervalAfter,
  intervalOf,
  onlyPath,
} from '../../../lib/providers/file-system/path-interval.js'
import { bindFilter } from '../../../lib/query/bind-expression.js'
import type { Expression } from '../../../lib/query/expression.js'
import { parseFilter } from '../../../lib/uri/parse-expression.js'

const model: EdmModel = fileModel
const entitySet = model.defaultContainer.entitySet('Files')
if (entitySet === undefined) throw new Error('There are no files.')
const { entityType } = entitySet
const scope = { model, entitySet, entityType }

const paths = ['/', '/a', '/a-b', '/a/', '/a/x', '/a/x/y', '/a0', '/b', '/b/c', '/\ue000', '/😀', '/😀/z']

function filterOf(text: string): Expression {
  return bindFilter(parseFilter(text), scope, { source: text, label: '$filter' })
}

function pathsIn(interval: PathInterval): string[] {
  return paths.filter((path) => contains(interval, path))
}

/** The paths that meet a filter, which is evaluated for each of them. */
function meeting(filter: Expression): string[] {
  const { isTrue } = new ExpressionCompiler(entityType, withoutNavigation).condition(filter)
  return paths.filter((path) =>
    isTrue({ path, name: path.slice(path.lastIndexOf('/') + 1), isDirectory: false }),
  )
}

describe('The interval of a filter', () => {
  it.each([
    "path eq '/a'",
    "'/a' eq path",
    "path gt '/a'",
    "path ge '/a'",
    "path lt '/b'",
    "path le '/b'",
    "'/a' lt path",
    "'/a' le path",
    "'/b' gt path",
    "'/b' ge path",
    "startswith(path,'/a')",
    "startswith(path,'/a/')",
    "startswith(path,'/😀')",
    "startswith(path,'') eq true",
    "startswith(path,'/a') eq true",
    "true eq startswith(path,'/a')",
    "path ge '/a' and path lt '/b'",
    "path gt '/a' and path ge '/a'",
    "path ge '/a' and path gt '/a'",
    "path le '/b' and path lt '/b'",
    "path lt '/b' and path le '/b'",
    "path gt '/a' and path gt '/a0'",
    "path lt '/b' and path lt '/a'",
    "startswith(path,'/a') and path gt '/a/'",
    "path eq '/a' and path eq '/b'",
  ])('MUST have exactly the matching paths: %s', (text) => {
    const filter = filterOf(text)
    expect(pathsIn(intervalOf(filter))).toEqual(meeting(filter))
  })

  it.each([
    "path ne '/a'",
    "'/a' ne path",
    'path eq null',
    'null eq path',
    'path eq path',
    "startswith(path,'/a') eq false",
    "false eq startswith(path,'/a')",
    "startswith(path,'/a') ne true",
    'startswith(path,name)',
    "startswith('/a',path)",
    "startswith(name,'a')",
    "endswith(path,'x')",
    "name eq 'a'",
    "name gt 'a'",
    "not (path eq '/a')",
    "path eq '/a' or path eq '/b'",
    "tolower(path) eq '/a'",
    "path eq concat('/','a')",
    'isDirectory',
    'isDirectory eq true',
  ])('MUST have all paths if the filter does not limit them: %s', (text) => {
    const filter = filterOf(text)
    expect(pathsIn(intervalOf(filter))).toEqual(paths)
    expect(onlyPath(intervalOf(filter))).toBeUndefined()
  })

  it('MUST have a single path only if both bounds are this path and include it', () => {
    expect(onlyPath(intervalOf(filterOf("path eq '/a'")))).toBe('/a')
    expect(onlyPath(intervalOf(filterOf("path ge '/a' and path le '/a'")))).toBe('/a')
    for (const text of [
      "path ge '/a'",
      "path le '/a'",
      "path gt '/a' and path le '/a'",
      "path ge '/a' and path lt '/a'",
      "path ge '/a' and path le '/b'",
    ]) {
      expect(onlyPath(intervalOf(filterOf(text)))).toBeUndefined()
    }
  })

  it('MUST include the longest path with a prefix', () => {
    const interval = intervalOf(filterOf("startswith(path,'/a')"))
    expect(contains(interval, `/a${'\u{10ffff}'.repeat(511)}`)).toBe(true)
    expect(contains(interval, '/b')).toBe(false)
    expect(contains(interval, '/')).toBe(false)
  })
})

describe('The paths after a position', () => {
  const behind = (seek: readonly unknown[], descending: readonly boolean[]): string[] =>
    pathsIn(intervalAfter(seek, descending))

  it.each(paths)('MUST be those after %s in either direction', (path) => {
    expect(behind([path], [false])).toEqual(paths.filter((one) => compareStrings(one, path) > 0))
    expect(behind([path], [true])).toEqual(paths.filter((one) => compareStrings(one, path) < 0))
  })

  it('MUST be all paths after null in ascending order, and none in descending order', () => {
    expect(behind([null], [false])).toEqual(paths)
    expect(behind([null], [true])).toEqual([])
  })

  it('MUST include the path of the position only if a later value is before it', () => {
    const from = paths.filter((one) => compareStrings(one, '/b') >= 0)
    const after = paths.filter((one) => compareStrings(one, '/b') > 0)
    expect(behind(['/b', '/b'], [false, false])).toEqual(after)
    expect(behind(['/b', '/a'], [false, false])).toEqual(from)
    expect(behind(['/b', '/c'], [false, false])).toEqual(after)
    expect(behind(['/b', '/a'], [false, true])).toEqual(after)
    expect(behind(['/b', '/c'], [false, true])).toEqual(from)
    expect(behind(['/b', '/b', '/a'], [false, false, false])).toEqual(from)
    expect(behind(['/b', null], [false, false])).toEqual(from)
    expect(behind(['/b', '/c', '/a'], [false, false, false])).toEqual(after)
  })

  it('MUST be limited by a filter in either direction', () => {
    const seek = intervalAfter(['/a'] as never, [false])
    const filter = intervalOf(filterOf("path le '/b'"))
    const both = ['/a-b', '/a/', '/a/x', '/a/x/y', '/a0', '/b']
    expect(pathsIn(intersection(seek, filter))).toEqual(both)
    expect(pathsIn(intersection(filter, seek))).toEqual(both)
    expect(pathsIn(intersection({}, {}))).toEqual(paths)
  })
})
