import type { EntityQuery, SeekPosition } from '../query/entity-query.js'
import { totalOrder } from '../query/entity-query.js'
import { percentEncode } from '../uri/percent-encoding.js'
import type { SystemQueryOption } from '../uri/parse-query-options.js'
import { literalText } from './literal-text.js'

/** How `$top` goes on in a chain of pages: what is left of it, or the same number again on every page. */
export type NextTop = 'remaining' | 'same'

const forwardedOptions: readonly SystemQueryOption[] = [
  '$filter',
  '$expand',
  '$orderby',
  '$inlinecount',
  '$select',
  '$format',
]

/**
 * The query of the next page: what was asked for, without `$skip`, and the place where this page ended.
 *
 * @param position values of the last entity for each term of the order
 * @param shown how many entities this page had
 * @spec MS-ODATA 2.2.3.6.1.9
 */
export function nextQuery(
  query: EntityQuery,
  position: SeekPosition,
  shown: number,
  nextTop: NextTop,
): string {
  const { received, orderBy, projection, top } = query
  const options = received.custom.map(([name, value]) => `${encodeName(name)}=${percentEncode(value)}`)
  for (const name of forwardedOptions) {
    const value = received.system.get(name)
    if (value !== undefined) options.push(`${name}=${percentEncode(value)}`)
  }
  if (top !== undefined) options.push(`$top=${nextTop === 'same' ? top : top - shown}`)
  const terms = totalOrder(orderBy, projection.entityType)
  const token = position.map((value, index) => {
    const type = terms[index]?.expression.type
    return literalText(value, typeof type === 'string' ? type : null)
  })
  return [...options, `$skiptoken=${token.join(',')}`].join('&')
}

/** In a name, unlike in a value, an equals sign would be taken for the end of the name. */
function encodeName(name: string): string {
  return percentEncode(name).replaceAll('=', '%3D')
}

/** The query of the next page of an expanded collection: only what concerns its own entities. */
export function nextExpandedQuery(expandText: string, selectText: string, token: string): string {
  const expand = expandText === '' ? '' : `$expand=${percentEncode(expandText)}&`
  const select = selectText === '' ? '' : `$select=${percentEncode(selectText)}&`
  return `${expand}${select}$skiptoken=${token}`
}
