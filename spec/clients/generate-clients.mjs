/**
 * Makes the clients that are generated from `$metadata`, as their users do: from a service that runs. They are below
 * `node_modules/.cache/northwind`, where the type checker and the specs look for `@northwind/...`, and go when the
 * packages go.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('.', import.meta.url))
const packages = join(folder, 'node_modules')
const programs = join(packages, '.bin')
const target = join(packages, '.cache/northwind')

await mkdir(join(packages, '.cache'), { recursive: true })
const staging = await mkdtemp(join(packages, '.cache', 'generating-'))
try {
  const metadata = await metadataOfRunningService()
  const madeOf = await hashOf(metadata)
  const stamp = join(target, 'made-of')
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== madeOf) {
    const generated = join(staging, 'generated')
    await writeFile(join(staging, 'northwind.edmx'), metadata)
    await Promise.all([
      generateForCloudSdk(join(generated, 'cloud-sdk')),
      generateForOdata2ts(join(generated, 'odata2ts')),
    ])
    await writeFile(join(generated, 'made-of'), madeOf)
    await rm(target, { recursive: true, force: true })
    await rename(generated, target)
  }
} finally {
  await rm(staging, { recursive: true, force: true })
}

/** The same model, the same generators and the same way to call them make the same clients. */
async function hashOf(metadata) {
  const hash = createHash('sha256').update(metadata)
  for (const path of [fileURLToPath(import.meta.url), join(folder, 'package-lock.json')]) {
    hash.update(await readFile(path))
  }
  return hash.digest('hex')
}

/** The sample application is TypeScript, and so is the library below it. */
async function metadataOfRunningService() {
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
    const address = `http://127.0.0.1:${server.address().port}/v2/northwind/$metadata`
    const response = await fetch(address)
    if (!response.ok) throw new Error(`${address} was answered with ${response.status}`)
    return await response.text()
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
  // The type checker would take the sources for ours.
  const made = join(staging, 'cloud-sdk/northwind')
  const sources = (await readdir(made)).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  await Promise.all(sources.map((name) => rm(join(made, name))))
  await mkdir(dirname(output), { recursive: true })
  await rename(made, output)
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

/** `types`: what other packages here declare is for browsers. */
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
