import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../support/until.js'

/** A proxy from Debian's package, with the configuration that docs/behind-a-proxy.md shows. */
export interface Proxy {
  readonly name: string
  /** The heading of its block in the guide. */
  readonly heading: string
  /** Prints its version. */
  readonly probe: readonly [command: string, ...words: string[]]
  /** @returns the configuration, which needs more than the block */
  configure(block: string, port: number, directory: string): string
  start(file: string, directory: string): readonly [command: string, ...words: string[]]
}

/** The port of the service in the blocks. */
const SERVICE_PORT = '4004'

const apacheModules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers']

export const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    heading: 'nginx',
    probe: ['nginx', '-v'],
    configure: (block, port, directory) =>
      `daemon off;\npid ${directory}/pid;\nerror_log ${directory}/log;\nevents {}\n` +
      `http {\naccess_log off;\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${directory}/${kind};\n`)
        .join('')}server {\nlisten 127.0.0.1:${port};\n${block}}\n}\n`,
    start: (file) => ['nginx', '-c', file],
  },
  {
    name: 'Apache',
    heading: 'Apache',
    probe: ['apache2', '-v'],
    configure: (block, port, directory) =>
      `ServerName localhost\nServerRoot ${directory}\nListen 127.0.0.1:${port}\nPidFile ${directory}/pid\nErrorLog ${directory}/log\n` +
      `User www-data\nGroup www-data\n` +
      apacheModules
        .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`)
        .join('') +
      `<VirtualHost *>\n${block}</VirtualHost>\n`,
    start: (file) => ['apache2', '-D', 'FOREGROUND', '-f', file],
  },
  {
    name: 'HAProxy',
    heading: 'HAProxy',
    probe: ['haproxy', '-v'],
    configure: (block, port) =>
      `defaults\n  mode http\n  timeout connect 10s\n  timeout client 60s\n  timeout server 60s\n${block.replace(':8080', `127.0.0.1:${port}`)}`,
    start: (file) => ['haproxy', '-db', '-f', file],
  },
  {
    name: 'Caddy',
    heading: 'Caddy',
    probe: ['caddy', 'version'],
    configure: (block, port) =>
      `{\n  admin off\n  auto_https off\n}\n${block.replace(':8080 {', `:${port} {\n  bind 127.0.0.1`)}`,
    start: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'lighttpd',
    heading: 'lighttpd',
    probe: ['lighttpd', '-v'],
    configure: (block, port, directory) =>
      `server.document-root = "${directory}"\nserver.bind = "127.0.0.1"\nserver.port = ${port}\n${block}`,
    start: (file) => ['lighttpd', '-D', '-f', file],
  },
]

/** Tests whether the program of a proxy is installed. */
export function isInstalled({ probe: [command, ...words] }: Proxy): boolean {
  return spawnSync(command, words).status === 0
}

/** A running proxy in front of a service. */
export class RunningProxy {
  private constructor(
    private readonly process: ChildProcess,
    private readonly directory: string,
    readonly port: number,
  ) {}

  /** @param service the port of the server behind it */
  static async start(proxy: Proxy, service: number): Promise<RunningProxy> {
    const directory = mkdtempSync(join(tmpdir(), 'proxy-'))
    const port = await freePort()
    const file = join(directory, 'configuration')
    const block = blockOf(proxy.heading).replaceAll(SERVICE_PORT, String(service))
    writeFileSync(file, proxy.configure(block, port, directory))
    const [command, ...words] = proxy.start(file, directory)
    const process = spawn(command, words, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    process.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    process.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await until(async () => {
      if (process.exitCode !== null) throw new Error(`${proxy.name} does not start: ${output}`)
      return accepts(port)
    })
    return new RunningProxy(process, directory, port)
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null) {
      const exit = once(this.process, 'exit')
      this.process.kill()
      await exit
    }
    rmSync(this.directory, { recursive: true, force: true })
  }
}

/** The first block below a heading of the guide. */
function blockOf(heading: string): string {
  const guide = readFileSync('docs/behind-a-proxy.md', 'utf8')
  const block = new RegExp(`### ${heading}\\n[^]*?\`\`\`\\w+\\n([^]*?)\`\`\``).exec(guide)?.[1]
  if (block === undefined) throw new Error(`The guide has no block for ${heading}.`)
  return block
}

/** Finds a port for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
