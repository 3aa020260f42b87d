import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { basename } from 'node:path'
import { entitySetsOf } from '../../../edm/edm-model.js'
import type { Provider } from '../../../provider/provider.js'
import type { ServiceListener } from '../../../request-listener.js'
import { SourceError } from '../errors.js'
import { reasonOf } from '../../../util/thrown-error.js'
import type { Command, CommandIo } from '../command.js'
import { withBasicAuthentication } from '../basic-authentication.js'
import { isLoopback, withHostCheck, listen } from '../listen.js'
import { argumentsFor, openSource } from '../open-source.js'
import { withProblems } from '../simulate-problems.js'
import type { ServeArguments } from '../serve-arguments.js'
import { parseServeArguments, serveOptions } from '../serve-arguments.js'
import type { ServedSource } from '../served-source.js'
import { titleOf } from '../source-kind.js'
import { escapeAttribute } from '../../../xml/escape-xml.js'
import { spawn } from 'node:child_process'

/** Time for pending requests to complete when the service stops or is replaced. After that, they get 503. */
const GRACE_PERIOD_MS = 2_500

/** Services that accept requests. */
export interface RunningService {
  /** The root of the first source. */
  readonly root: string
  /** The roots of all sources in their order. */
  readonly roots: readonly string[]
  /** Finishes pending requests and closes the sources. */
  stop(): Promise<void>
}

export const serveCommand: Command = {
  synopsis: '<source>[=<path>]... [options]',
  description: `Serves sources as OData V2 services.

  ./directory                    the files and directories below a directory
  northwind.sqlite               the tables of an SQLite database
  sales.parquet                  the rows of a Parquet, CSV or JSON file; parquet:./directory of Parquet files
  postgres://user:password@host/database
                                 the tables of a PostgreSQL database; mysql://... of MySQL or MariaDB
  model.edmx                     a metadata document with generated rows
  model.edmx --data ./data       a metadata document with rows from <EntitySet>.json
  a.edmx=/sap/A b.edmx=/sap/B    several services, each with its path: --data ./a=/sap/A --data ./b=/sap/B
  sales.csv shop.sqlite          several services, at /sales and /shop`,
  options: serveOptions,
  async run(words, io) {
    const service = await serveSources(parseServeArguments(words), io)
    if (!io.signal.aborted) await once(io.signal, 'abort')
    await service.stop()
    return 0
  },
}

/** @throws SourceError if a source cannot be opened, or the server cannot listen */
export async function serveSources(given: ServeArguments, io: CommandIo): Promise<RunningService> {
  const { requestListener } = await import('../../../request-listener.js')
  const sources = await opened(given, io)
  const { pageSize, writable, csrf, exports, defaultFormat, flattenInheritance, sapRestrictions } = given
  const closeSources = async (): Promise<void> => {
    await Promise.all(sources.map(({ source }) => source.close()))
  }
  try {
    const services = sources.map(({ source, path }): MountedService => {
      const listenerOf = (provider: Provider): ServiceListener =>
        requestListener(source.model, provider, {
          mountPath: path,
          explorer: true,
          openapi: { title: nameOf(source) },
          annotations: source.annotations,
          readOnly: !writable,
          csrf,
          exports,
          // Users of the explorer want to see the data of all sets.
          sapRestrictions: sapRestrictions && 'relaxed',
          defaultFormat,
          flattenInheritance,
          search: searchOf(source, given),
          serviceRoot: given.serviceRoot && `${given.serviceRoot.replace(/\/$/, '')}${path}/`,
          ...(pageSize === undefined ? {} : { pageSize }),
        })
      return { path, ...withTitle(source, () => replaceableListener(source, listenerOf)) }
    })
    const all = withProblems(dispatcher(services), given.problems)
    const { user } = given
    const signedIn = user === undefined ? all : withBasicAuthentication(all, user)
    // Browsers send the credentials of a user with the requests of other web pages, too.
    const checked = withHostCheck(signedIn, { ...given, refusesForeignOrigins: user !== undefined })
    const { root, address, stop } = await listen(
      given.verbose ? withRequestLines(checked, io) : checked,
      given,
    )
    const served = sources.map(({ source, path }) => ({ source, root: root.replace(/\/$/, `${path}/`) }))
    introduce(served, given, io)
    if (!isLoopback(address)) io.error(exposureWarning(given, io))
    const roots = served.map((one) => one.root)
    const first = roots[0] ?? root
    if (given.open) openInBrowser(first, io)
    const end = async (): Promise<void> => {
      const stopped = stop()
      await Promise.all(services.map(({ close }) => close()))
      await stopped
    }
    return { root: first, roots, stop: () => end().finally(closeSources) }
  } catch (error) {
    await closeSources()
    throw error
  }
}

/** @throws SourceError with the title of the source if its model does not fit, for example types of associations */
function withTitle<Started>({ title }: ServedSource, start: () => Started): Started {
  try {
    return start()
  } catch (error) {
    const [, reason] = /^requestListener: ([^]*)$/.exec(reasonOf(error)) ?? []
    throw reason === undefined ? error : new SourceError(`In ${title}: ${reason}`)
  }
}

interface MountedService {
  readonly path: string
  readonly service: RequestListener
  readonly close: () => Promise<void>
}

/** Passes requests to the service with the longest path that contains them. */
function dispatcher(services: readonly MountedService[]): RequestListener {
  const [only, ...others] = services
  if (only !== undefined && others.length === 0) return only.service
  const longestFirst = [...services].sort((a, b) => b.path.length - a.path.length)
  const paths = services.map(({ path }) => `${path}/`)
  return (request, response) => {
    const target = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '')
    const found = longestFirst.find(
      ({ path }) => target.startsWith(path) && /^(?:[/?]|$)/.test(target.slice(path.length)),
    )
    if (found !== undefined) {
      found.service(request, response)
      return
    }
    const isPage = request.headers.accept?.includes('text/html') === true
    response.writeHead(404, { 'Content-Type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8` })
    response.end(isPage ? pageOfPaths(paths) : [MISSING_PATH, ...paths, ''].join('\n'))
  }
}

const MISSING_PATH = 'There is no service at this path. The paths of the services are:'

/** Returns a page with links to the services, for browsers. */
function pageOfPaths(paths: readonly string[]): string {
  const links = paths.map((path) => {
    const text = escapeAttribute(path)
    return `<li><a href="${text}">${text}</a></li>`
  })
  const style = 'body{font:1.1rem/1.6 system-ui;margin:2rem}:root{color-scheme:light dark}'
  const head = `<meta name="viewport" content="width=device-width"><title>Services</title><style>${style}</style>`
  return `<!doctype html><html lang="en">${head}<h1>Services</h1><p>${MISSING_PATH}</p><ul>${links.join('')}</ul></html>`
}

/**
 * Creates a listener whose provider can be replaced. Pending requests finish with the old provider; new requests wait
 * for the new one.
 */
function replaceableListener(
  source: ServedSource,
  listenerOf: (provider: Provider) => ServiceListener,
): { readonly service: RequestListener; readonly close: () => Promise<void> } {
  let { provider } = source
  let current = listenerOf(provider)
  let exchange: Promise<void> | undefined
  const replace = async (load: () => Promise<Provider>): Promise<void> => {
    try {
      await current.close({ timeout: GRACE_PERIOD_MS })
      provider = await load()
    } finally {
      current = listenerOf(provider)
      exchange = undefined
    }
  }
  source.onReload?.((load) => {
    const replaced = replace(load)
    // Requests are served by the old provider if the new one cannot be loaded.
    exchange = replaced.catch(() => undefined)
    return replaced
  })
  return {
    service: (request, response) => {
      if (exchange === undefined) current(request, response)
      else void exchange.then(() => current(request, response))
    },
    close: async () => {
      await exchange
      await current.close({ timeout: GRACE_PERIOD_MS })
    },
  }
}

interface OpenedSource {
  readonly source: ServedSource
  readonly path: string
}

/** Opens the sources and shows progress, since reading the schema of a large database takes seconds. */
async function opened(given: ServeArguments, io: CommandIo): Promise<readonly OpenedSource[]> {
  const all: OpenedSource[] = []
  for (const one of given.sources) {
    const progress = io.progress(`Opening ${titleOf(one.source)} ...`)
    try {
      const source = await openSource(argumentsFor(one, given), io.error, progress.advance)
      all.push({ path: one.path, source })
    } catch (error) {
      await Promise.all(all.map(({ source }) => source.close()))
      throw error
    } finally {
      progress.end()
    }
  }
  return all
}

/** Returns the title of a source as a heading: `shop.sqlite`. */
function nameOf({ title }: ServedSource): string {
  const name = title.replace(/^the (?:(?:database|model|rows of|files in) )?/, '')
  // The directory of a file says little, and does not fit on phones. URLs of databases have hosts.
  return name.includes('://') ? name : basename(name)
}

function introduce(
  served: readonly { readonly source: ServedSource; readonly root: string }[],
  { writable }: ServeArguments,
  { print, style }: CommandIo,
): void {
  for (const { source, root } of served) {
    const canChange = writable && source.isChangeable
    print(`${style.bold(`Serving ${source.title}`)}${canChange ? '' : ', read-only'}: ${style.cyan(root)}`)
  }
  if (served.some(({ source }) => source.isChangeable))
    print(writable ? 'Writes are enabled.' : 'Writes are disabled; use --writable to enable them.')
  for (const { source } of served) {
    const place = served.length === 1 ? '' : `${nameOf(source)}: `
    for (const notice of source.notices) print(`${style.yellow('Note:')} ${place}${notice}`)
  }
  print('For example')
  for (const { source, root } of served)
    for (const { path } of entitySetsOf(source.model)) print(`  ${root}${encodeURIComponent(path)}`)
}

function exposureWarning({ host, writable, user }: ServeArguments, { errorStyle }: CommandIo): string {
  const may = writable ? 'read and change' : 'read'
  const warning = errorStyle.yellow('Warning:')
  if (user !== undefined)
    return `${warning} --host ${host} exposes the service to the network without encryption: the password of --user can be read on the way. Use a proxy with TLS.`
  return `${warning} --host ${host} exposes the service to the network without authentication. Any client that reaches it can ${may} all data.`
}

/** Returns the searched properties of the sets of a source; all of them if it is the only one. */
function searchOf({ model }: ServedSource, { search, sources }: ServeArguments): ServeArguments['search'] {
  if (sources.length === 1) return search
  const names = new Set(entitySetsOf(model).map(({ name }) => name))
  return Object.fromEntries(Object.entries(search).filter(([name]) => names.has(name)))
}

/** Prints a line for each request: method, URL, status, time. */
function withRequestLines(listener: RequestListener, { print, style }: CommandIo): RequestListener {
  const stateOf = (status: number): string => {
    const paint = status >= 500 ? style.red : status >= 400 ? style.yellow : style.green
    return paint(String(status))
  }
  return (req, res) => {
    const start = performance.now()
    res.on('close', () => {
      const state = res.writableFinished ? stateOf(res.statusCode) : style.red('aborted')
      print(`${req.method ?? ''} ${req.url ?? ''} ${state} ${(performance.now() - start).toFixed(1)} ms`)
    })
    listener(req, res)
  }
}

/** Opens a URL in the default browser. */
function openInBrowser(address: string, { error }: CommandIo): void {
  const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', '""'],
  }
  const [command, ...words] = commands[process.platform] ?? ['xdg-open']
  const browser = spawn(command, [...words, address], { stdio: 'ignore', detached: true })
  browser.on('error', () => {
    error(`Could not open a browser. The service is at ${address}`)
  })
  browser.unref()
}
