import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import { formDecode } from './percent-encoding.js'

/** @spec MS-ODATA 2.2.3.6.1 */
export const systemQueryOptions = [
  '$expand',
  '$filter',
  '$format',
  '$inlinecount',
  '$orderby',
  '$select',
  '$skip',
  '$skiptoken',
  '$top',
] as const

export type SystemQueryOption = (typeof systemQueryOptions)[number]

/** The query of a request, decoded. */
export interface QueryOptions {
  readonly system: ReadonlyMap<SystemQueryOption, string>
  /** Everything that does not start with `$`, in the order and as often as it was sent. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}

const known: ReadonlySet<string> = new Set(systemQueryOptions)

/** Query options of OData V4, with their equivalents in this version. */
const otherVersions: ReadonlyMap<string, string> = new Map([
  [
    '$count',
    ' In OData V2 the count comes with $inlinecount=allpages, or alone from the address with /$count.',
  ],
  ['$search', " OData V2 has none: write $filter=substringof('text',Name)."],
  ['$apply', ' OData V2 does not aggregate: read the entities, or let a function import do it.'],
  [
    '$compute',
    ' OData V2 does not compute: $filter and $orderby can, and a property can be made by the service.',
  ],
  ['$levels', ' OData V2 has none: name every level, as in $expand=Parent/Parent.'],
  ['$index', ' OData V2 has none: use $skip and $top.'],
])
const none: QueryOptions = { system: new Map(), custom: [] }

/**
 * Reads the query of a request.
 *
 * @param query what stands behind the `?`
 * @throws ODataError InvalidSystemQueryOption for an unknown option with `$`, one that occurs twice, one without value,
 * and one without name
 * @spec MS-ODATA 2.2.3.6
 */
export function parseQueryOptions(query: string): QueryOptions {
  if (query === '') return none
  const system = new Map<SystemQueryOption, string>()
  const custom: [string, string][] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = formDecode(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : formDecode(pair.slice(equals + 1))
    if (name === '') throw invalid(namelessOption(value))
    if (!name.startsWith('$')) custom.push([name, value])
    else addSystemOption(system, name, value)
  }
  return { system, custom }
}

function namelessOption(value: string): string {
  return `A query option has no name, only the value '${value.slice(0, 100)}'. In a shell put the address in quotes: '...?$top=5'. Without them the shell replaces $top.`
}

function addSystemOption(system: Map<SystemQueryOption, string>, name: string, value: string): void {
  if (!isSystemQueryOption(name)) {
    throw invalid(
      `There is not a system query option '${name.slice(0, 100)}'.${otherVersions.get(name) ?? didYouMean(name, systemQueryOptions)}`,
    )
  }
  if (system.has(name)) throw invalid(`${name} is given twice.`)
  if (value.trim() === '') throw invalid(`${name} has no value.`)
  system.set(name, value)
}

function isSystemQueryOption(name: string): name is SystemQueryOption {
  return known.has(name)
}

function invalid(message: string): ODataError {
  return new ODataError('InvalidSystemQueryOption', { message })
}
