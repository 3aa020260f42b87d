import type { RelativeAddress } from './address.js'
import { decode, formatAddress, splitPath } from './address.js'

interface Snippet {
  readonly title: string
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
    { title: 'SAP Cloud SDK', text: cloudSdk(root, address, method) },
    { title: 'Python', text: python(url, method) },
    ...(method === 'POST' ? [] : pyodata(root, address)),
    { title: 'C#', text: csharp(url, method) },
    ...(method === 'POST' ? [] : [{ title: 'Power Query', text: powerQuery(url) }]),
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

function cloudSdk(root: string, { path, options }: RelativeAddress, method: string): string {
  return `import { executeHttpRequest } from '@sap-cloud-sdk/http-client'

const response = await executeHttpRequest(
  { url: ${stringLiteral(root)} },
  {
    method: ${stringLiteral(method.toLowerCase())},
    url: ${stringLiteral(`/${formatAddress(path, options)}`)},
    headers: { Accept: 'application/json' },
  },
)
console.log(response.data.d)`
}

function python(url: string, method: string): string {
  return `import requests

response = requests.${method === 'POST' ? 'post' : 'get'}(
    ${JSON.stringify(url)},
    headers={"Accept": "application/json"},
)
response.raise_for_status()
print(response.json()["d"])`
}

/** The methods of pyodata by the query options that they set. */
const PYODATA: Readonly<Record<string, string>> = {
  $filter: 'filter',
  $orderby: 'order_by',
  $expand: 'expand',
  $select: 'select',
  $top: 'top',
  $skip: 'skip',
}

/** Returns a sample for pyodata, which addresses entity sets only by their name. */
function pyodata(root: string, { path, options }: RelativeAddress): readonly Snippet[] {
  if (!/^[A-Za-z_]\w*$/.test(path)) return []
  const calls = [...options]
    .filter(([, value]) => value.trim() !== '')
    .map(([name, value]) => {
      const method = PYODATA[name]
      const isNumber = (name === '$top' || name === '$skip') && /^\d+$/.test(value)
      // A link can contain any text, which must not become a statement of the program.
      const argument = isNumber ? value : JSON.stringify(value)
      return method === undefined
        ? `    .custom(${JSON.stringify(name)}, ${argument})\n`
        : `    .${method}(${argument})\n`
    })
  const text = `import pyodata
import requests

service = pyodata.Client(${JSON.stringify(root)}, requests.Session())
entities = (
    service.entity_sets.${path}.get_entities()
${calls.join('')}    .execute()
)
for entity in entities:
    print(entity)`
  return [{ title: 'pyodata', text }]
}

function csharp(url: string, method: string): string {
  return `using System.Net.Http.Headers;
using System.Text.Json;

using var client = new HttpClient();
using var request = new HttpRequestMessage(HttpMethod.${method === 'POST' ? 'Post' : 'Get'}, ${JSON.stringify(url)});
request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
using var response = await client.SendAsync(request);
response.EnsureSuccessStatusCode();
using var document = JsonDocument.Parse(await response.Content.ReadAsStreamAsync());
Console.WriteLine(document.RootElement.GetProperty("d"));`
}

function powerQuery(url: string): string {
  return `let
    Source = OData.Feed("${url.replaceAll('"', '""')}", null, [Implementation = null])
in
    Source`
}

/** Creates a string literal of JavaScript, in single quotes. */
function stringLiteral(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
