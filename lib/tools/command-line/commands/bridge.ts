import { once } from 'node:events'
import { ConfigurationError } from '../../../errors/check-option.js'
import { ODataError } from '../../../errors/odata-error.js'
import { entitySetsOf } from '../../../edm/edm-model.js'
import type { OpenedService } from '../../../providers/upstream/open-service.js'
import { openV4 } from '../../../providers/v4/open-v4.js'
import { openV2 } from '../../../providers/v2/open-v2.js'
import { readMetadata } from '../../../providers/upstream/read-metadata.js'
import { UpstreamClient } from '../../../providers/upstream/upstream-client.js'
import type { UpstreamOptions } from '../../../providers/upstream/upstream-options.js'
import { serviceRootOf, upstreamSettings, withoutUser } from '../../../providers/upstream/upstream-options.js'
import { requestListener } from '../../../request-listener.js'
import { readableUri } from '../../../util/readable-uri.js'
import type { Command, CommandIo } from '../command.js'
import { SourceError } from '../errors.js'
import { reasonOf } from '../../../util/thrown-error.js'
import { isLoopback, listen, withHostCheck } from '../listen.js'
import { parseArgs, parseChoice, parseSource, parseWholeNumber } from '../parse-args.js'
import { sourceOptions, sourceSettings } from '../read-model.js'
import { serveOptions } from '../serve-arguments.js'

const options = {
  port: serveOptions.port,
  host: serveOptions.host,
  'allow-host': serveOptions['allow-host'],
  header: sourceOptions.header,
  timeout: sourceOptions.timeout,
  dialect: {
    type: 'string',
    value: '<name>',
    text: 'cap for V4 services of SAP CAP, complete for V2 services that evaluate all expressions',
  },
  languages: {
    type: 'string',
    value: '<tags>',
    text: 'languages of the labels, the default first: en,de',
  },
  writable: { type: 'boolean', text: 'let clients change data' },
} as const

export const bridgeCommand: Command = {
  synopsis: '<url> [options]',
  description: `Serves an OData V4 or V2 service as OData V2. The headers of --header are sent with the requests of all clients.`,
  options,
  notes: `  express-odata-v2 bridge https://services.odata.org/TripPinRESTierService/
  express-odata-v2 bridge http://localhost:4004/odata/v4/catalog --port 4005 --dialect cap --writable`,
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    const url = parseSource(positionals, 'Which service do you want to serve? Name its URL.')
    const { headers, timeout } = sourceSettings({ header: values.header, timeout: values.timeout })
    const { root, own } = withoutCredentials(url)
    const sent = { ...own, ...Object.fromEntries(headers) }
    const dialect =
      values.dialect === undefined ? undefined : parseChoice('--dialect', values.dialect, dialects)
    const notices: string[] = []
    const progress = io.progress(`Opening ${withoutUser(root)} ...`)
    const opened = await openOrExplain(withoutUser(root), () =>
      openAny(root, dialect, {
        headers: () => sent,
        timeout: timeout * 1000,
        languages: values.languages?.split(',').map((tag) => tag.trim()),
        onNotice: (notice) => notices.push(notice),
      }),
    ).finally(() => {
      progress.end()
    })
    try {
      await serve(opened, root, notices, values, io)
    } finally {
      opened.close()
    }
    return 0
  },
}

const dialects = ['cap', 'complete'] as const
type Dialect = (typeof dialects)[number] | undefined

/** Opens a service of the version that its metadata document has. */
async function openAny(url: string, dialect: Dialect, options: UpstreamOptions): Promise<OpenedService> {
  const client = new UpstreamClient(
    serviceRootOf('bridge', url),
    upstreamSettings('bridge', options, dialects),
  )
  const { text } = await readMetadata(client).finally(() => client.close())
  if (/^\s*\{|<(?:\w+:)?Edmx\b[^>]*\bVersion=["']4/.test(text))
    return openV4(url, { ...options, ...(dialect === 'cap' && { dialect }) })
  return openV2(url, { ...options, ...(dialect === 'complete' && { dialect }) })
}

type Values = ReturnType<typeof parseArgs<typeof options>>['values']

async function serve(
  { model, provider, options: derived }: OpenedService,
  url: string,
  notices: readonly string[],
  values: Values,
  io: CommandIo,
): Promise<void> {
  const isWritable = values.writable ?? false
  const listener = requestListener(model, provider, {
    ...derived,
    explorer: true,
    readOnly: !isWritable,
    onError: (error) => {
      io.error(reasonOf(error.cause ?? error))
    },
  })
  const host = values.host ?? '127.0.0.1'
  const port = parseWholeNumber('--port', values.port, 65_535) ?? 4004
  const allowedHosts = values['allow-host'] ?? []
  const server = await listen(
    withHostCheck(listener, { host, allowedHosts, serviceRoot: undefined, refusesForeignOrigins: true }),
    {
      host,
      port,
    },
  )
  const { print, style } = io
  print(
    `${style.bold(`Serving ${url} as OData V2`)}${isWritable ? '' : ', read-only'}: ${style.cyan(server.root)}`,
  )
  print(isWritable ? 'Writes are enabled.' : 'Writes are disabled; use --writable to enable them.')
  if (!isLoopback(server.address)) {
    io.error(
      `${io.errorStyle.yellow('Warning:')} --host ${host} exposes the service to the network without authentication, with the headers of --header.`,
    )
  }
  for (const notice of notices) print(`${style.yellow('Note:')} ${notice}`)
  print('For example')
  for (const { path } of entitySetsOf(model)) print(`  ${server.root}${encodeURIComponent(path)}`)
  if (!io.signal.aborted) await once(io.signal, 'abort')
  const stopped = server.stop()
  await listener.close()
  await stopped
}

/** Moves user and password of a URL to a header. */
function withoutCredentials(url: string): { readonly root: string; readonly own: Record<string, string> } {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' }
  if (username === '' && password === '') return { root: url, own: {} }
  const user = `${readableUri(username)}:${readableUri(password)}`
  const own = { authorization: `Basic ${Buffer.from(user).toString('base64')}` }
  return { root: withoutUser(url), own }
}

/** @throws SourceError with the reason why the service cannot be served */
async function openOrExplain(url: string, open: () => Promise<OpenedService>): Promise<OpenedService> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof ConfigurationError) throw new SourceError(error.message.replace(/^\w+: /, ''))
    if (!(error instanceof ODataError)) throw new SourceError(`${url}: ${reasonOf(error)}`)
    throw new SourceError(`${url}: ${reasonOf(error.cause ?? error)}`)
  }
}
