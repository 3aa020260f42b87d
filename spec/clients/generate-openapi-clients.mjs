/** Generates typed clients from the OpenAPI document of a service, as users do, and compiles them with `strict`. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const run = promisify(execFile)
const programs = fileURLToPath(new URL('node_modules/.bin', import.meta.url))

/** Code of users: the client of openapi-fetch, and the function through which orval sends its requests. */
const handwritten = {
  'openapi-fetch.ts': `
    import createClient from 'openapi-fetch'
    import type { paths } from './openapi-typescript'
    export const createNorthwind = (baseUrl: string) => createClient<paths>({ baseUrl })`,
  'send.ts': `
    let root = ''
    export const setRoot = (url: string) => { root = url }
    export async function send<T>(url: string, options: RequestInit): Promise<T> {
      const response = await fetch(root + url, options)
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      return { data: isJson ? JSON.parse(text) : text, status: response.status, headers: response.headers } as T
    }`,
  'orval.ts': `
    export * from './orval-requests'
    export { setRoot } from './send'`,
  'hey-api.ts': `
    export * from './hey-api/sdk.gen'
    export { client } from './hey-api/client.gen'`,
  'orval.config.cjs': `
    module.exports = { northwind: {
      input: 'openapi.json',
      output: {
        target: 'orval-requests.ts',
        client: 'fetch',
        override: { mutator: { path: './send.ts', name: 'send' } },
      },
    } }`,
  'package.json': '{ "name": "@northwind/openapi", "version": "1.0.0", "private": true, "type": "commonjs" }',
}

const clients = ['openapi-fetch', 'hey-api', 'orval', 'oazapfts']

/**
 * @param document the OpenAPI document
 * @param output the directory to create, with a script and a declaration for each client
 */
export async function generateOpenApiClients(document, output) {
  await mkdir(output, { recursive: true })
  await writeFile(join(output, 'openapi.json'), document)
  for (const [name, text] of Object.entries(handwritten)) await writeFile(join(output, name), text)
  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    skipLibCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  }
  await writeFile(join(output, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  const start = (program, ...args) => run(join(programs, program), args, { cwd: output })
  await start('openapi-typescript', 'openapi.json', '--output', 'openapi-typescript.ts')
  await start('openapi-ts', '--input', 'openapi.json', '--output', 'hey-api', '--silent')
  await start('orval', '--config', 'orval.config.cjs')
  await start('oazapfts', 'openapi.json', 'oazapfts.ts')
  await start('tsc', '--project', '.').catch(({ stdout }) => {
    throw new Error(`Clients generated from the OpenAPI document do not compile:\n${stdout.slice(0, 4000)}`)
  })
  await build({
    absWorkingDir: output,
    entryPoints: clients.map((name) => `${name}.ts`),
    outdir: output,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  })
  // The type checker would check the generated sources like those of the project.
  for (const name of await readdir(output, { recursive: true })) {
    const path = join(output, name)
    if (/(?<!\.d)\.ts$/.test(name)) await rm(path)
    // Within node_modules, tsc writes paths that contain the names of the directories above.
    if (/^hey-api\/\w+\.gen\.d\.ts$/.test(name)) {
      const declarations = await readFile(path, 'utf8')
      await writeFile(path, declarations.replaceAll(/import\("[^"]*\/hey-api\//g, 'import("./'))
    }
  }
}
