/**
 * Generates typed clients from `$metadata` and `$openapi` of a running service, as users do. Writes them to
 * `node_modules/.cache/northwind`, which the type checker and the specs map to `@northwind/...`.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { generateOpenApiClients } from './generate-openapi-clients.mjs'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('.', import.meta.url))
const packages = join(folder, 'node_modules')
const programs = join(packages, '.bin')
const target = join(packages, '.cache/northwind')

await mkdir(join(packages, '.cache'), { recursive: true })
const staging = await mkdtemp(join(packages, '.cache', 'generating-'))
try {
  const [metadata, openApi] = await documentsOfRunningService()
  const hash = await hashInputs(metadata + openApi)
  const hashFile = join(target, 'hash')
  if ((await readFile(hashFile, 'utf8').catch(() => '')) !== hash) {
    const generated = join(staging, 'generated')
    await writeFile(join(staging, 'northwind.edmx'), metadata)
    await Promise.all([
      generateForCloudSdk(join(generated, 'cloud-sdk')),
      generateForOdata2ts(join(generated, 'odata2ts')),
      generateOpenApiClients(openApi, join(generated, 'openapi')),
    ])
    await writeFile(join(generated, 'hash'), hash)
    await rm(target, { recursive: true, force: true })
    await rename(generated, target)
  }
} finally {
  await rm(staging, { recursive: true, force: true })
}

/** Hashes everything that determines the generated clients: the documents, the generators, and these programs. */
async function hashInputs(documents) {
  const hash = createHash('sha256').update(documents)
  for (const name of ['generate-clients.mjs', 'generate-openapi-clients.mjs', 'package-lock.json']) {
    hash.update(await readFile(join(folder, name)))
  }
  return hash.digest('hex')
}

/** Starts the sample application, bundled from TypeScript, and returns its metadata and its OpenAPI document. */
async function documentsOfRunningService() {
  const outfile = join(staging, 'app.mjs')
  await build({
    absWorkingDir: join(folder, '../..'),
    entryPoints: ['sample-app/app.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['express', 'debug', 'mime', 'range-parser', 'saxes', 'content-disposition', 'xml-js'],
    logLevel: 'error',
  })
  const { createApp } = await import(pathToFileURL(outfile))
  const server = createApp().listen(0, '127.0.0.1')
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  try {
    const root = `http://127.0.0.1:${server.address().port}/v2/northwind`
    const read = async (name) => {
      const response = await fetch(`${root}/${name}`)
      if (!response.ok) throw new Error(`${root}/${name} responded with status ${response.status}.`)
      // Without the port, the documents are the same in each run.
      return (await response.text()).replaceAll(root, 'http://127.0.0.1/northwind')
    }
    return [await read('$metadata'), await read('$openapi')]
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function generateForCloudSdk(output) {
  const service = { directoryName: 'northwind', npmPackageName: '@northwind/cloud-sdk' }
  await writeFile(join(staging, 'options-per-service.json'), JSON.stringify({ 'northwind.edmx': service }))
  await writeTsconfig('cloud-sdk.tsconfig.json')
  await run(
    join(programs, 'generate-odata-client'),
    [
      ...['--input', 'northwind.edmx'],
      ...['--outputDir', 'cloud-sdk'],
      ...['--optionsPerService', 'options-per-service.json'],
      ...['--tsconfig', 'cloud-sdk.tsconfig.json'],
      '--transpile',
      '--packageJson',
    ],
    { cwd: staging },
  )
  // The type checker would check the generated sources like those of the project.
  const client = join(staging, 'cloud-sdk/northwind')
  const sources = (await readdir(client)).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  await Promise.all(sources.map((name) => rm(join(client, name))))
  await mkdir(dirname(output), { recursive: true })
  await rename(client, output)
}

async function generateForOdata2ts(output) {
  await writeTsconfig('odata2ts.tsconfig.json')
  await run(
    join(programs, 'odata2ts'),
    [
      ...['--source', 'northwind.edmx'],
      ...['--output', output],
      ...['--mode', 'all'],
      ...['--emit-mode', 'js_dts'],
      ...['--tsconfig', 'odata2ts.tsconfig.json'],
      ...['--service-name', 'Northwind'],
    ],
    { cwd: staging },
  )
  const description = { name: '@northwind/odata2ts', version: '1.0.0', private: true, type: 'commonjs' }
  await writeFile(join(output, 'package.json'), JSON.stringify(description))
}

/** Writes the tsconfig of a generator. `types` excludes the declarations of packages for browsers. */
async function writeTsconfig(name) {
  const compilerOptions = {
    target: 'es2022',
    module: 'commonjs',
    moduleResolution: 'node',
    declaration: true,
    strict: true,
    skipLibCheck: true,
    esModuleInterop: true,
    types: ['node'],
  }
  await writeFile(join(staging, name), JSON.stringify({ compilerOptions, exclude: ['dist', 'node_modules'] }))
}
