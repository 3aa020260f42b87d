import { parseUser } from './basic-authentication.js'
import type { DefaultFormat } from '../../formats/negotiate.js'
import type { MountedSource } from './mounted-sources.js'
import { parseMountedSources } from './mounted-sources.js'
import type { MockSettings } from './serve-mock.js'
import type { SimulatedProblems } from './simulate-problems.js'
import { parseDelay } from './simulate-problems.js'
import { UsageError } from './errors.js'
import type { OptionTable, ViewKeys } from './parse-args.js'
import {
  parseUrl,
  parseArgs,
  parseWholeNumber,
  keyOption,
  parseKeys,
  parseNames,
  defaultFormatOption,
  flattenInheritanceOption,
  parseDefaultFormat,
} from './parse-args.js'

/** The parsed arguments of `serve`. */
export interface ServeArguments {
  readonly sources: readonly MountedSource[]
  /** Further settings for metadata documents. */
  readonly mock: Omit<MockSettings, 'data'>
  readonly host: string
  /** Additional host names that clients and proxies use. */
  readonly allowedHosts: readonly string[]
  readonly port: number
  /** Undefined for the default of the library. */
  readonly pageSize: number | undefined
  /** True if clients can change data. */
  readonly writable: boolean
  /** Keys of views and tables of a database that have none. */
  readonly keys: ViewKeys
  /** The namespace of the model of a database; undefined for the default. */
  readonly namespace: string | undefined
  /** Names of tables and views to serve, with `*` for any characters; empty for all. */
  readonly tables: readonly string[]
  /** Properties to search, by the names of entity sets. */
  readonly search: ViewKeys
  /** The only user who has access, with the password: `name:password`; undefined for access without authentication. */
  readonly user: string | undefined
  /** True if invalid values of a database are served as null. */
  readonly invalidAsNull: boolean
  /** The memory of DuckDB, with its unit; undefined for the default. */
  readonly memoryLimit: string | undefined
  /** The number of threads of DuckDB; undefined for the default. */
  readonly threads: number | undefined
  readonly csrf: boolean
  /** True if collections are available as CSV and Excel files. */
  readonly exports: boolean
  readonly defaultFormat: DefaultFormat | undefined
  /** True if the annotations of a metadata document restrict clients. */
  readonly flattenInheritance: boolean
  readonly sapRestrictions: boolean
  /** The public address, if requests do not reveal it. */
  readonly serviceRoot: string | undefined
  readonly open: boolean
  readonly verbose: boolean
  readonly problems: SimulatedProblems
}

export const serveOptions = {
  port: {
    type: 'string',
    value: '<number>',
    text: 'the port to listen on (default 4004; 0 for any free port)',
  },
  host: {
    type: 'string',
    value: '<address>',
    text: 'the address to listen on (default 127.0.0.1: this machine only; 0.0.0.0 for the network)',
  },
  'allow-host': {
    type: 'string',
    multiple: true,
    value: '<name>',
    text: 'another host name by which clients or a proxy address the server',
  },
  'page-size': {
    type: 'string',
    value: '<number>',
    text: 'the maximum number of entities in a page (default 1000, 0 for no limit)',
  },
  writable: { type: 'boolean', text: 'enable writes' },
  path: {
    type: 'string',
    value: '<path>',
    text: 'the path of the service, if there is one source: /sap/SALES',
  },
  data: {
    type: 'string',
    multiple: true,
    value: '<directory>[=<path>]',
    text: 'the directory with the rows of a metadata document, and the path of its service if there are several',
  },
  persist: { type: 'boolean', text: 'write changes back to the files of --data' },
  watch: { type: 'boolean', text: 'reload the files of --data when they change' },
  generate: {
    type: 'boolean',
    text: 'generate rows for entity sets without a file; always on without --data',
  },
  rows: {
    type: 'string',
    value: '<number>',
    text: 'the number of rows to generate for an entity set (default 20)',
  },
  seed: {
    type: 'string',
    value: '<text>',
    text: 'the seed for generated rows; the same seed gives the same rows (default 1)',
  },
  etags: {
    type: 'boolean',
    text: 'give entities ETags even if the metadata document has no ConcurrencyMode',
  },
  key: keyOption,
  namespace: { type: 'string', value: '<name>', text: 'the namespace of the model of a database' },
  tables: {
    type: 'string',
    multiple: true,
    value: '<name>,...',
    text: 'the tables and views of a database to serve; * stands for any characters: sales_*',
  },
  search: {
    type: 'string',
    multiple: true,
    value: '<set>=<property>,...',
    text: 'the properties that the query option search finds; can be repeated',
  },
  'invalid-as-null': {
    type: 'boolean',
    text: 'serve values of a database that are invalid for their type as null',
  },
  'memory-limit': {
    type: 'string',
    value: '<size>',
    text: 'the memory for a DuckDB database or a data file (default 256MB)',
  },
  threads: {
    type: 'string',
    value: '<number>',
    text: 'the number of threads for a DuckDB database or a data file (default 2)',
  },
  user: {
    type: 'string',
    value: '<name>:<password>',
    text: 'require this user and password; without a password, it is read from ODATA_V2_PASSWORD',
  },
  csrf: { type: 'boolean', text: 'require the CSRF token of SAP clients for changes' },
  exports: { type: 'boolean', text: 'serve collections as CSV and Excel files too' },
  'default-format': defaultFormatOption,
  'flatten-inheritance': flattenInheritanceOption,
  'no-sap-restrictions': {
    type: 'boolean',
    text: 'allow what SAP\'s annotations of a metadata document forbid, such as sap:filterable="false"',
  },
  'service-root': {
    type: 'string',
    value: '<address>',
    text: 'the public URL of the server, if it runs behind a proxy',
  },
  open: { type: 'boolean', text: 'open the service in a browser' },
  verbose: { type: 'boolean', text: 'print a line for each request' },
  delay: {
    type: 'string',
    value: '<ms>',
    text: 'delay responses by milliseconds, or by a random time of a range: 200-800',
  },
  'error-rate': {
    type: 'string',
    value: '<percent>',
    text: 'respond to this share of requests with 503, except for $metadata',
  },
} as const satisfies OptionTable

/** @throws UsageError */
export function parseServeArguments(words: readonly string[]): ServeArguments {
  const { values, positionals } = parseArgs(words, serveOptions)
  return {
    sources: parseMountedSources(
      withPath(positionals, values.path),
      values.data ?? [],
      values.persist ?? false,
    ),
    mock: {
      generate: values.generate ?? false,
      rows: parseWholeNumber('--rows', values.rows, 100_000),
      seed: values.seed,
      etags: values.etags ?? false,
      persist: values.persist ?? false,
      watch: values.watch ?? false,
    },
    host: values.host ?? '127.0.0.1',
    allowedHosts: values['allow-host'] ?? [],
    port: parseWholeNumber('--port', values.port, 65_535) ?? 4004,
    pageSize: parseWholeNumber('--page-size', values['page-size'], Number.MAX_SAFE_INTEGER),
    writable: values.writable ?? false,
    keys: parseKeys('--key', values.key),
    namespace: values.namespace,
    tables: parseNames('--tables', values.tables),
    search: parseKeys('--search', values.search),
    user: parseUser(values.user),
    invalidAsNull: values['invalid-as-null'] ?? false,
    memoryLimit: values['memory-limit'],
    threads: parseWholeNumber('--threads', values.threads, 1024),
    csrf: values.csrf ?? false,
    exports: values.exports ?? false,
    defaultFormat: parseDefaultFormat(values['default-format']),
    flattenInheritance: values['flatten-inheritance'] ?? false,
    sapRestrictions: !(values['no-sap-restrictions'] ?? false),
    serviceRoot: parseUrl('--service-root', values['service-root']),
    open: values.open ?? false,
    verbose: values.verbose ?? false,
    problems: {
      delay: parseDelay(values.delay),
      errorPercent: parseWholeNumber('--error-rate', values['error-rate'], 100) ?? 0,
    },
  }
}

/** @throws UsageError if there is a path, but not one source without a path of its own */
function withPath(sources: readonly string[], path: string | undefined): readonly string[] {
  if (path === undefined) return sources
  const [source = '', ...others] = sources
  if (others.length > 0)
    throw new UsageError(`With several sources, append a path to each: ${source}=${path}`)
  if (/=\/[^?&]*$/.test(source)) throw new UsageError(`'${source}' has a path already. Leave out --path.`)
  return [`${source}=/${path.replace(/^\//, '')}`]
}
