import type { RelativeAddress } from './query-options.js'
import { writeAddress } from './query-options.js'
import { decoded, segmentsOf } from './resource.js'

/** A request as something to take along. */
export interface Snippet {
  readonly title: 'URL' | 'curl' | 'UI5' | 'TypeScript'
  readonly text: string
}

/**
 * The same request in other words.
 *
 * @param root absolute address of the service with a slash at the end
 * @param method of functions; everything else is read
 */
export function snippetsOf(
  root: string,
  address: RelativeAddress,
  method: 'GET' | 'POST',
): readonly Snippet[] {
  const url = root + writeAddress(address.path, address.options)
  return [
    { title: 'URL', text: url },
    { title: 'curl', text: curl(url, method) },
    { title: 'UI5', text: ui5(root, address, method) },
    { title: 'TypeScript', text: typeScript(url, method) },
  ]
}

/** Within single quotes nothing means anything to a shell, `$` least of all. */
function curl(url: string, method: string): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const post = method === 'POST' ? ' -X POST' : ''
  return `curl${post} -H 'Accept: application/json' ${quoted(url)}`
}

function ui5(root: string, { path, options }: RelativeAddress, method: string): string {
  const parameters = Object.fromEntries([...options].filter(([, value]) => value.trim() !== ''))
  const model = `const model = new ODataModel({ serviceUrl: ${literal(root)} })`
  if (method === 'POST') {
    return `${model}
model.callFunction(${literal(`/${path}`)}, {
  method: 'POST',
  urlParameters: ${indented(parameters)},
  success: (data) => console.log(data),
  error: (error) => console.error(error),
})`
  }
  const readable = segmentsOf(path).map(decoded).join('/')
  return `// sap/ui/model/odata/v2/ODataModel
${model}
model.read(${literal(`/${readable}`)}, {
  urlParameters: ${indented(parameters)},
  success: (data) => console.log(data.results ?? data),
  error: (error) => console.error(error),
})`
}

function typeScript(url: string, method: string): string {
  const post = method === 'POST' ? "\n  method: 'POST'," : ''
  return `const response = await fetch(${literal(url)}, {${post}
  headers: { Accept: 'application/json' },
})
if (!response.ok) throw new Error(await response.text())
const { d } = (await response.json()) as { d: unknown }
console.log(d)`
}

/** Text for a program, which must mean the same there. */
function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function indented(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => `    ${literal(name)}: ${literal(value)},\n`)
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}  }`
}
