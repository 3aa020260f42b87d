import { invalid } from '../errors/check-option.js'
import { didYouMean } from '../errors/suggestions.js'
import type { SystemQueryOption } from '../uri/parse-query-options.js'
import { systemQueryOptions } from '../uri/parse-query-options.js'
import type { RequestTarget } from './request-target.js'
import { isCollection } from './request-target.js'

/** How a resource handles an allowed query option. `yes`: the option applies. `ignored`: the option has no effect. */
export type OptionSupport = 'yes' | 'ignored'

type Row = Readonly<Partial<Record<SystemQueryOption, OptionSupport>>>

const format: Row = { $format: 'yes' }
/** Clients such as the tools of Fiori add `$format=json` to every path, although counts and raw values have one format. */
const raw: Row = { $format: 'ignored' }
const entry: Row = { $filter: 'yes', $expand: 'yes', $select: 'yes', ...format }
const feed: Row = {
  ...entry,
  $orderby: 'yes',
  $top: 'yes',
  $skip: 'yes',
  $skiptoken: 'yes',
  $inlinecount: 'yes',
}
const collectionCount: Row = {
  $filter: 'yes',
  $orderby: 'yes',
  $top: 'yes',
  $skip: 'yes',
  $expand: 'ignored',
  // The NuGet Gallery accepts the options of the page whose entities a client counts.
  $select: 'ignored',
  ...raw,
}

/**
 * The system query options of each kind of resource in read requests.
 *
 * @spec MS-ODATA 2.2.3.6.1 (the table of URI types and options)
 */
const rows = {
  serviceDocument: format,
  metadata: format,
  batch: raw,
  feed,
  entry,
  returnedEntry: { $expand: 'yes', $select: 'yes', ...format },
  collectionCount,
  entityCount: { $filter: 'yes', $expand: 'ignored', $select: 'ignored', ...raw },
  complexProperty: { $filter: 'ignored', ...format },
  simpleProperty: format,
  value: raw,
  link: { $filter: 'yes', ...format },
  links: { ...feed, $expand: undefined, $select: undefined },
  functionResult: format,
} as const satisfies Record<string, Readonly<Partial<Record<SystemQueryOption, OptionSupport | undefined>>>>

/** Checks whether a query option is allowed on a resource and has an effect. */
export function optionSupport(option: SystemQueryOption, target: RequestTarget): OptionSupport | undefined {
  const row: Readonly<Partial<Record<SystemQueryOption, OptionSupport | undefined>>> = rows[rowFor(target)]
  return row[option]
}

function rowFor(target: RequestTarget): keyof typeof rows {
  switch (target.kind) {
    case 'ServiceDocument':
      return 'serviceDocument'
    case 'Metadata':
      return 'metadata'
    case 'Batch':
      return 'batch'
    case 'EntitySet':
      return 'feed'
    case 'Entity':
      return target.entity.kind === 'ReturnedEntity' ? 'returnedEntry' : 'entry'
    case 'EntityCount':
      return isCollection(target.of) ? 'collectionCount' : 'entityCount'
    case 'ComplexProperty':
      return 'complexProperty'
    case 'SimpleProperty':
      return 'simpleProperty'
    case 'PropertyValue':
    case 'MediaResource':
      return 'value'
    case 'Links':
      if (isCollection(target.linked)) return target.count ? 'collectionCount' : 'links'
      return target.count ? 'entityCount' : 'link'
    case 'FunctionImport':
      return 'functionResult'
  }
}

/**
 * Validates the option `disabledQueryOptions`.
 *
 * @throws ConfigurationError for an invalid option
 */
export function disabledOptions(names: readonly string[] | undefined): ReadonlySet<SystemQueryOption> {
  if (names === undefined) return new Set()
  if (!Array.isArray(names)) throw invalid(`disabledQueryOptions must be an array such as ['$filter']`)
  for (const name of names as readonly unknown[]) {
    if (!(systemQueryOptions as readonly unknown[]).includes(name)) {
      throw invalid(
        `disabledQueryOptions: '${String(name)}' is not a system query option.${didYouMean(String(name), systemQueryOptions)}`,
      )
    }
  }
  return new Set(names as readonly SystemQueryOption[])
}
