import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestHandler } from 'express'
import type { Arguments } from './arguments.js'
import { parseArguments, usage, UsageError } from './arguments.js'
import { openSource } from './open-source.js'
import { optionalPackage } from './optional-package.js'
import type { ServedSource } from './served-source.js'
import { codeOf, reasonOf, SourceError } from './served-source.js'

/** Where a program prints. */
export interface Output {
  readonly print: (line: string) => void
  readonly complain: (line: string) => void
}

/** A service that listens. */
export interface RunningService {
  readonly root: string
  /** Answers what has been asked already, and releases everything. */
  stop(): Promise<void>
}

/**
 * Does what the words of a command line say.
 *
 * @returns the service, or else the exit code: 0 when there is nothing more to do, 1 when the source cannot be served,
 * 2 when the words mean nothing
 */
export async function run(words: readonly string[], output: Output): Promise<RunningService | 0 | 1 | 2> {
  try {
    const given = parseArguments(words)
    if (!given.help) return await serve(given, output)
    output.print(usage)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      output.complain(`${error.message}\n\n${usage}`)
      return 2
    }
    // Of what nobody has foreseen, the place helps to find out more.
    const isForeseen = error instanceof SourceError
    output.complain(
      isForeseen || !(error instanceof Error) ? reasonOf(error) : (error.stack ?? error.message),
    )
    return 1
  }
}

async function serve(given: Arguments, output: Output): Promise<RunningService> {
  const purpose = 'To serve anything'
  const { default: express } = await optionalPackage(() => import('express'), ['express'], purpose)
  const { odataV2 } = await import('../odata-v2.js')
  const source = await openSource(given)
  const { pageSize, readOnly } = given
  const app = express()
  if (given.verbose) app.use(requestLines(output))
  app.use(
    '/',
    odataV2(source.model, source.provider, { readOnly, ...(pageSize === undefined ? {} : { pageSize }) }),
  )
  const server = app.listen(given.port, given.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    await source.close()
    throw new SourceError(listenReason(given, error))
  }
  const root = rootOf(server, given.host)
  introduce(source, root, given, output)
  if (given.open) openInBrowser(root, output)
  return { root, stop: () => stop(server, source) }
}

function introduce(source: ServedSource, root: string, { readOnly }: Arguments, { print }: Output): void {
  print(`Serving ${source.title}${readOnly ? ', read-only' : ''}: ${root}`)
  for (const notice of source.notices) print(`Note: ${notice}`)
  print('For example')
  for (const { entitySets } of source.model.entityContainers) {
    for (const { path } of entitySets) print(`  ${root}${encodeURIComponent(path)}`)
  }
}

function requestLines({ print }: Output): RequestHandler {
  return (req, res, next) => {
    const start = performance.now()
    res.on('close', () => {
      const state = res.writableFinished ? String(res.statusCode) : 'broken off'
      print(`${req.method} ${req.originalUrl} ${state} ${(performance.now() - start).toFixed(1)} ms`)
    })
    next()
  }
}

/** People type names, not numbers. */
function rootOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const isThisMachine = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host)
  const name = isThisMachine ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${String(port)}/`
}

function listenReason({ host, port }: Arguments, error: unknown): string {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `Port ${String(port)} is in use. Choose another with --port.`
    case 'EACCES':
      return `Port ${String(port)} is not for everyone. Choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `'${host}' (--host) is no address of this machine.`
    default:
      return reasonOf(error)
  }
}

function openInBrowser(address: string, { complain }: Output): void {
  const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', '""'],
  }
  const [command, ...words] = commands[process.platform] ?? ['xdg-open']
  const browser = spawn(command, [...words, address], { stdio: 'ignore', detached: true })
  browser.on('error', () => {
    complain(`No browser could be opened. The service is at ${address}`)
  })
  browser.unref()
}

async function stop(server: Server, source: ServedSource): Promise<void> {
  server.close()
  server.closeIdleConnections()
  await once(server, 'close')
  await source.close()
}
