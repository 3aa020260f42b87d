import type { EntityQuery, SeekPosition } from '../query/entity-query.js'
import { orderOf } from '../query/entity-query.js'
import { optionsWhere } from '../query/query-option-rules.js'
import { percentEncode } from '../uri/percent-encoding.js'
import type { SystemQueryOption } from '../uri/parse-query-options.js'
import { literalText } from './literal-text.js'

/** The `$top` of next links: the remaining number of entities, or the same number on every page. */
export type NextTop = 'remaining' | 'same'

const forwardedOptions = optionsWhere(({ isInNextLinks }) => isInNextLinks)
const deltaOptions = optionsWhere(({ tracking }) => tracking === 'link')

/**
 * Returns the query string of the next page: the options of the request without `$skip`, and a `$skiptoken`.
 *
 * @param position values of the order terms of the last entity
 * @param shown number of entities of the page
 * @param changeOptions options for the changes of a tracked set
 * @spec MS-ODATA 2.2.3.6.1.9
 */
export function nextQuery(
  query: EntityQuery,
  position: SeekPosition,
  shown: number,
  nextTop: NextTop,
  changeOptions?: string,
): string {
  const { received, top } = query
  const options = forwarded(received, forwardedOptions, changeOptions !== undefined)
  if (top !== undefined) options.push(`$top=${nextTop === 'same' ? top : top - shown}`)
  const terms = orderOf(query)
  const token = position.map((value, index) => {
    const type = terms[index]?.expression.type
    return literalText(value, typeof type === 'string' ? type : null)
  })
  if (changeOptions !== undefined) options.push(changeOptions)
  return [...options, `$skiptoken=${token.join(',')}`].join('&')
}

/**
 * Returns the query string of a read of the same entities: the options of the request without those for order, count
 * and changes.
 *
 * @param changeOptions options to append; empty for none
 */
export function sameEntitiesQuery({ received }: EntityQuery, changeOptions: string): string {
  const options = forwarded(received, deltaOptions, true)
  return (changeOptions === '' ? options : [...options, changeOptions]).join('&')
}

/** Formats options of the request. @param isTracked whether options for changes are omitted */
function forwarded(
  { custom, system }: EntityQuery['received'],
  names: readonly SystemQueryOption[],
  isTracked: boolean,
): string[] {
  const kept = isTracked ? custom.filter(([name]) => !isChangeOption(name)) : custom
  const options: string[] = []
  for (const [name, value] of kept)
    if (name !== PROOF_OPTION) options.push(`${encodeName(name)}=${percentEncode(value)}`)
  for (const name of names) {
    const value = system.get(name)
    if (value !== undefined) options.push(`${name}=${percentEncode(value)}`)
  }
  return options
}

/** The option of signed links. */
export const PROOF_OPTION = '!proof'

/** The options of tracked sets: position of a delta, of the start of a first load, and of the end of a delta. */
export const changeOptionNames = ['!deltatoken', '!deltastart', '!deltaend'] as const

export type ChangeOptionName = (typeof changeOptionNames)[number]

function isChangeOption(name: string): name is ChangeOptionName {
  return (changeOptionNames as readonly string[]).includes(name)
}

/**
 * Percent-encodes the name of a query option. In a name, unlike in a value, an equals sign must be encoded: it ends
 * the name.
 */
function encodeName(name: string): string {
  return percentEncode(name).replaceAll('=', '%3D')
}

/** Returns the query string of the next page of an expanded collection. */
export function nextExpandedQuery(expandText: string, selectText: string, token: string): string {
  const expand = expandText === '' ? '' : `$expand=${percentEncode(expandText)}&`
  const select = selectText === '' ? '' : `$select=${percentEncode(selectText)}&`
  return `${expand}${select}$skiptoken=${token}`
}
