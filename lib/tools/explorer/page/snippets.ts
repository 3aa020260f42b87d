import type { RelativeAddress } from './address.js'
import { decode, formatAddress, splitPath } from './address.js'

interface Snippet {
  readonly title: 'URL' | 'curl' | 'UI5' | 'TypeScript'
  readonly text: string
}

/**
 * Creates code samples that send a request.
 *
 * @param root URL of the service, with a trailing slash
 */
export function createSnippets(
  root: string,
  address: RelativeAddress,
  method: 'GET' | 'POST',
): readonly Snippet[] {
  const url = root + formatAddress(address.path, address.options)
  return [
    { title: 'URL', text: url },
    { title: 'curl', text: curl(url, method) },
    { title: 'UI5', text: ui5(root, address, method) },
    { title: 'TypeScript', text: typeScript(url, method) },
  ]
}

function curl(url: string, method: string): string {
  // Single quotes prevent the shell from expanding `$`.
  const quoted = `'${url.replaceAll("'", "'\\''")}'`
  return `curl${method === 'POST' ? ' -X POST' : ''} -H 'Accept: application/json' ${quoted}`
}

function ui5(root: string, { path, options }: RelativeAddress, method: string): string {
  const parameters = [...options]
    .filter(([, value]) => value.trim() !== '')
    .map(([name, value]) => `    ${stringLiteral(name)}: ${stringLiteral(value)},\n`)
  const [call, result] =
    method === 'POST'
      ? [`callFunction(${stringLiteral(`/${path}`)}, {\n  method: 'POST',`, 'data']
      : [`read(${stringLiteral(`/${splitPath(path).map(decode).join('/')}`)}, {`, 'data.results ?? data']
  return `// sap/ui/model/odata/v2/ODataModel
const model = new ODataModel({ serviceUrl: ${stringLiteral(root)} })
model.${call}
  urlParameters: ${parameters.length === 0 ? '{}' : `{\n${parameters.join('')}  }`},
  success: (data) => console.log(${result}),
  error: (error) => console.error(error),
})`
}

function typeScript(url: string, method: string): string {
  const post = method === 'POST' ? "\n  method: 'POST'," : ''
  return `const response = await fetch(${stringLiteral(url)}, {${post}
  headers: { Accept: 'application/json' },
})
if (!response.ok) throw new Error(await response.text())
const { d } = (await response.json()) as { d: unknown }
console.log(d)`
}

/** Creates a string literal of JavaScript, in single quotes. */
function stringLiteral(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
