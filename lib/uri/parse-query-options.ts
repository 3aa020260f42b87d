import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import { parseLiteral } from './parse-literal.js'
import { formDecode } from './percent-encoding.js'
import { Scanner } from './scanner.js'
import type { LiteralSyntax, NamePathSyntax } from './syntax-tree.js'

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
  /** Options without `$`, in the order of the request, including repeated ones. */
  readonly custom: readonly (readonly [name: string, value: string])[]
}

const known: ReadonlySet<string> = new Set(systemQueryOptions)

/** Query options of OData V4, with their equivalents in this version. */
const otherVersions: ReadonlyMap<string, string> = new Map([
  ['$count', ' In OData V2, use $inlinecount=allpages, or append /$count to the path.'],
  ['$search', " In OData V2, use $filter=substringof('text',Name)."],
  ['$apply', ' OData V2 has no aggregation: aggregate in the client, or in a function import.'],
  ['$compute', ' In OData V2, compute in $filter and $orderby, or in the client.'],
  ['$levels', ' In OData V2, name every level: $expand=Parent/Parent.'],
  ['$index', ' In OData V2, use $skip and $top.'],
])
const none: QueryOptions = { system: new Map(), custom: [] }

/**
 * Parses the query of a request.
 *
 * @param query the part of the URI after `?`
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
  return `A query option has the value '${value.slice(0, 100)}' but no name. In a shell, put the URL in single quotes, because the shell expands $top: '...?$top=5'.`
}

function addSystemOption(system: Map<SystemQueryOption, string>, name: string, value: string): void {
  if (!isSystemQueryOption(name)) {
    throw invalid(
      `'${name.slice(0, 100)}' is not a system query option.${otherVersions.get(name) ?? didYouMean(name, systemQueryOptions)}`,
    )
  }
  if (system.has(name)) throw invalid(`${name} is specified twice.`)
  if (value.trim() === '') throw invalid(`${name} has no value.`)
  system.set(name, value)
}

function isSystemQueryOption(name: string): name is SystemQueryOption {
  return known.has(name)
}

function invalid(message: string): ODataError {
  return new ODataError('InvalidSystemQueryOption', { message })
}

/**
 * Parses the value of `$skiptoken`: the literals of the position at which the last page ended.
 *
 *     token = literal *( "," literal )
 *
 * @throws ODataError InvalidSystemQueryOption for anything else
 * @spec MS-ODATA 2.2.3.6.1.9
 */
export function parseSkipToken(source: string): LiteralSyntax[] {
  const scanner = new Scanner(source, '$skiptoken')
  const literals: LiteralSyntax[] = []
  do {
    scanner.skipSpace()
    const literal = parseLiteral(scanner)
    if (literal === undefined) throw scanner.error('Expected a literal')
    literals.push(literal)
    scanner.skipSpace()
  } while (scanner.accept(','))
  if (!scanner.atEnd) throw scanner.error("Expected ',' or the end")
  return literals
}

/**
 * Parses the value of `$expand` or `$select`: names joined by `/`, separated by commas.
 *
 *     list = path *( "," path )
 *     path = WS name *( "/" name ) WS
 *
 * @param label the option, for messages
 * @throws ODataError InvalidSystemQueryOption for anything else, such as the parentheses of OData V4
 * @spec MS-ODATA 2.2.3.6.1.3, 2.2.3.6.1.11
 */
export function parseNamePaths(source: string, label: '$expand' | '$select'): NamePathSyntax[] {
  const scanner = new Scanner(source, label)
  const paths: NamePathSyntax[] = []
  do {
    scanner.skipSpace()
    const { position } = scanner
    const names: string[] = []
    do names.push(name(scanner))
    while (scanner.accept('/'))
    scanner.skipSpace()
    paths.push({ names, position })
  } while (scanner.accept(','))
  if (!scanner.atEnd) throw scanner.error("Expected ',' or the end")
  return paths
}

function name(scanner: Scanner): string {
  const found = scanner.accept('*') ? '*' : scanner.identifier()
  if (found === undefined) throw scanner.error('Expected a name')
  return found
}
