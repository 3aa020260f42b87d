/**
 * Serves published V2 metadata documents as mocks, and prints how many are served, and why others are not.
 *
 * `npm run published` gets the documents from npm packages and Git repositories, in a temporary folder.
 * `npm run published -- <folder> ...` reads those of folders instead.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const packages = [
  '@sap/generator-fiori@1.32.0',
  '@sap-ux/odata-service-writer@1.0.22',
  '@sap/ux-ui5-tooling@1.32.0',
]

const repositories = ['open-ux-tools', 'open-ux-odata', 'cloud-sdk-js', 'cloud-sdk-java'].map(
  (name) => `https://github.com/SAP/${name}.git`,
)

const malformed = /well-formed|not a metadata document|no schema|no entity container|<Schema>|unexpected/i
const undefinedNames = /there is no|not defined|unknown|does not exist/i

const project = fileURLToPath(new URL('../..', import.meta.url))
// Within the project, so that the bundled program finds its packages.
const cache = join(project, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const program = mkdtempSync(join(cache, 'published-'))
const downloads = mkdtempSync(join(tmpdir(), 'published-'))

try {
  const given = process.argv.slice(2)
  const folders = given.length > 0 ? given : download()
  const documents = folders.flatMap(documentsBelow)
  process.exitCode = report(await results(documents))
} finally {
  rmSync(program, { recursive: true })
  rmSync(downloads, { recursive: true })
}

function download() {
  const call = (command, ...args) =>
    execFileSync(command, args, { cwd: downloads, stdio: ['ignore', 'ignore', 'inherit'] })
  call('npm', 'pack', '--silent', ...packages)
  const archives = readdirSync(downloads)
  for (const archive of archives) {
    mkdirSync(join(downloads, `${archive}-files`))
    call('tar', '-xzf', archive, '-C', `${archive}-files`)
  }
  for (const repository of repositories) call('git', 'clone', '--quiet', '--depth', '1', repository)
  return readdirSync(downloads, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(downloads, name))
}

/** Finds the V2 documents of a folder, each content once. */
function documentsBelow(folder) {
  const found = new Map()
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    if (!/\.(?:edmx|xml)$/i.test(name)) continue
    const file = join(folder, name)
    const text = readText(file)
    if (!/<(?:\w+:)?Edmx\b[^>]*\sVersion=["']1\.0["']/.test(text)) continue
    found.set(createHash('sha256').update(text).digest('hex'), { folder, file })
  }
  return [...found].map(([hash, document]) => ({ hash, ...document }))
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A directory that is named like a document.
    return ''
  }
}

async function results(documents) {
  const script = join(program, 'run.mjs')
  await build({
    entryPoints: [join(project, 'lib/tools/command-line/run.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  writeFileSync(join(program, 'package.json'), JSON.stringify({ name: 'express-odata-v2', version: '0.0.0' }))
  const { run } = await import(pathToFileURL(script))
  const all = []
  const seen = new Set()
  for (const { hash, folder, file } of documents) {
    if (seen.has(hash)) continue
    seen.add(hash)
    all.push({
      name: join(folder.split('/').at(-1), relative(folder, file)),
      reason: await reasonNotServed(run, file),
    })
  }
  return all
}

/** Serves a document as a mock, and reads its documents and an entity of each set. @returns undefined if all succeed */
async function reasonNotServed(run, file) {
  const controller = new AbortController()
  const plain = new Proxy({}, { get: () => (text) => text })
  const errors = []
  let problem
  let work
  const print = (line) => {
    const root = /(http:\S+\/)/.exec(line)?.[1]
    if (root === undefined || work !== undefined) return
    work = readAll(root).then(
      (found) => {
        problem = found
        controller.abort()
      },
      (error) => {
        problem = error.message
        controller.abort()
      },
    )
  }
  const io = {
    print,
    write: print,
    error: (line) => errors.push(line),
    style: plain,
    errorStyle: plain,
    progress: () => ({ end: () => undefined }),
    input: [],
    signal: controller.signal,
  }
  const code = await run(['serve', file, '--port', '0', '--rows', '2', '--default-format', 'json'], io)
  await work
  if (work === undefined) return errors.join('\n').replace(`${file}: `, '') || `exit code ${code}`
  return problem
}

async function readAll(root) {
  await get(`${root}$metadata`)
  const { d } = JSON.parse(await get(root))
  const failures = []
  for (const set of d.EntitySets) {
    await get(`${root}${encodeURIComponent(set)}?$top=1`).catch((error) => failures.push(error.message))
  }
  return failures.length === 0 ? undefined : failures.join('; ')
}

async function get(address) {
  const response = await fetch(address)
  const text = await response.text()
  // Restrictions of the document, such as a required filter, are responses of the service.
  if (response.status >= 500) throw new Error(`${String(response.status)} ${address}: ${text.slice(0, 200)}`)
  return text
}

/** Prints the counts, and the reasons. @returns the exit code: 1 if a service responded with an error */
function report(all) {
  const groups = { served: [], malformed: [], 'undefined names': [], refused: [], failed: [] }
  for (const one of all) {
    if (one.reason === undefined) groups.served.push(one)
    else if (/^5\d\d /.test(one.reason)) groups.failed.push(one)
    else if (malformed.test(one.reason)) groups.malformed.push(one)
    else if (undefinedNames.test(one.reason)) groups['undefined names'].push(one)
    else groups.refused.push(one)
  }
  for (const [group, ones] of Object.entries(groups)) {
    if (group === 'served') continue
    for (const { name, reason } of ones)
      console.log(`${group}: ${name}\n  ${reason.replaceAll('\n', '\n  ')}`)
  }
  const counts = Object.entries(groups).map(([group, ones]) => `${ones.length} ${group}`)
  console.log(`\n${all.length} documents: ${counts.join(', ')}`)
  return groups.failed.length > 0 ? 1 : 0
}
