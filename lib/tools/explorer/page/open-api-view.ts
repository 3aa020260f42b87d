import type { App, View } from './app.js'
import { about, actions, alert, link, note, table, title as heading } from './components.js'
import type { Child } from './dom.js'
import { el } from './dom.js'
import { errorOf } from './payload.js'

/** The parts of an OpenAPI document that the page displays. */
interface OpenApi {
  readonly openapi?: string
  readonly info?: { readonly title?: string; readonly version?: string; readonly description?: string }
  readonly paths?: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components?: {
    readonly parameters?: Readonly<Record<string, ApiParameter>>
    readonly responses?: Readonly<Record<string, ApiResponse>>
  }
}

interface ApiOperation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly ApiParameter[]
  readonly responses?: Readonly<Record<string, ApiResponse>>
}

interface ApiResponse {
  readonly $ref?: string
  readonly description?: string
}

interface ApiParameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
}

/** Returns the operations in the OpenAPI document of the service, by their tags. */
export async function openApiView(app: App): Promise<View> {
  const exchange = await app.client.send('$openapi')
  const error = errorOf(exchange)
  if (error !== undefined) return view([alert(error.message, error.title)])
  const document = JSON.parse(exchange.text) as OpenApi
  const { info, paths = {} } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(?:get|put|post|patch|merge|delete|head|options)$/.test(method))
      .map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, operation })),
  )
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? ''))]
  return view([
    note(`${info?.title ?? ''} ${info?.version ?? ''}, OpenAPI ${document.openapi ?? ''}`),
    about(info?.description ?? ''),
    actions(link(`${app.client.root}$openapi`, 'Open the document', { class: 'button' })),
    ...tags.flatMap((tag) => [
      el('h2', {}, tag === '' ? 'Others' : tag),
      ...operations
        .filter(({ operation }) => (operation.tags?.[0] ?? '') === tag)
        .map(({ title, operation }) => operationDetails(title, operation, document)),
    ]),
  ])
}

function view(content: readonly Child[]): View {
  return { title: 'OpenAPI', content: [heading('OpenAPI'), ...content] }
}

function operationDetails(
  title: string,
  { summary = '', description = '', parameters = [], responses = {} }: ApiOperation,
  { components }: OpenApi,
): HTMLElement {
  const rows = parameters.map((parameter) => {
    const one = resolve(parameter, components?.parameters)
    return [
      el('span', {}, one.name ?? '', one.required === true ? ' *' : ''),
      one.in ?? '',
      one.description ?? '',
    ]
  })
  const codes = Object.entries(responses).map(([status, one]) => [
    status,
    resolve(one, components?.responses).description ?? '',
  ])
  return el(
    'details',
    { class: 'panel operation' },
    el('summary', {}, el('code', {}, title), ' ', el('small', {}, summary)),
    about(description),
    rows.length === 0 ? undefined : table(`Parameters of ${title}`, ['Parameter', 'In', 'Description'], rows),
    codes.length === 0 ? undefined : table(`Responses of ${title}`, ['Status', 'Description'], codes),
  )
}

/** Returns the component to which an element refers, or else the element. */
function resolve<Component extends { readonly $ref?: string }>(
  element: Component,
  components: Readonly<Record<string, Component>> = {},
): Component {
  return element.$ref === undefined ? element : (components[element.$ref.split('/').at(-1) ?? ''] ?? element)
}
