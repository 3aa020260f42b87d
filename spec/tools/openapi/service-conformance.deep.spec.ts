import { Ajv2020 } from 'ajv/dist/2020.js'
import express from 'express'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../../sample-app/northwind/northwind-service.js'
import type { ODataV2Options } from '../../../lib/index.js'
import { fileModel, fileProvider, memoryProvider, odataV2 } from '../../../lib/index.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { salesModel, salesOptions, salesProviders } from '../../support/services/sales-service.js'
import { RestrictedServer } from '../../support/services/restricted-service.js'

type Json = Record<string, unknown>

/** An operation of the document, with resolved references. */
interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Json[]
  readonly body: readonly [type: string, content: Json] | undefined
  readonly responses: Readonly<Record<string, Json>>
  /** JSON pointer to the operation. */
  readonly pointer: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** A client that knows a service only by its OpenAPI document. */
class Client {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false })

  private constructor(
    private readonly server: { send: TestServer['send'] },
    private readonly root: string,
    readonly document: Json,
  ) {
    this.ajv.addSchema(exact(document), 'document')
  }

  static async of(server: { send: TestServer['send'] }, root: string): Promise<Client> {
    const { text } = await server.send(`${root}/$openapi`)
    return new Client(server, root, JSON.parse(text) as Json)
  }

  get operations(): Operation[] {
    return this.paths.flatMap(([path, item]) =>
      methods.filter((one) => one in item).map((method) => this.operation(path, item, method)),
    )
  }

  /** The operations that the document omits from its paths. */
  get unlisted(): Operation[] {
    return this.paths.flatMap(([path, item]) => {
      const [listed] = methods.filter((one) => one in item)
      if (listed === undefined) return []
      return methods
        .filter((one) => !(one in item))
        .map((method) => ({ ...this.operation(path, item, listed), method: method.toUpperCase() }))
    })
  }

  private get paths(): [string, Json][] {
    return Object.entries(this.document.paths as Record<string, Json>)
  }

  private operation(path: string, item: Json, method: string): Operation {
    const operation = item[method] as Json
    const all = [
      ...((item.parameters as Json[] | undefined) ?? []),
      ...((operation.parameters as Json[] | undefined) ?? []),
    ]
    const body = this.resolved(operation.requestBody as Json | undefined)
    const [content] = Object.entries((body?.content ?? {}) as Record<string, Json>)
    const responses = Object.entries(operation.responses as Record<string, Json>)
    return {
      method: method.toUpperCase(),
      path,
      parameters: all.map((one) => this.resolved(one) as Json),
      body: content,
      responses: Object.fromEntries(responses.map(([status, one]) => [status, this.resolved(one) as Json])),
      pointer: `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
    }
  }

  private resolved(value: Json | undefined): Json | undefined {
    if (typeof value?.$ref !== 'string') return value
    return value.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((place, name) => (place as Json)[name], this.document) as Json
  }

  /** The path of the first entity of a set, relative to the service root. */
  async firstOf(set: string): Promise<string | undefined> {
    const { status, text } = await this.server.send(`${this.root}/${set}?$top=1&$format=json`)
    if (status !== 200) return undefined
    const [row] = (JSON.parse(text) as { d: { results: { __metadata: { uri: string } }[] } }).d.results
    return row && new URL(row.__metadata.uri).pathname.slice(this.root.length)
  }

  /** Calls an operation with the examples of the document, on an existing entity. */
  async use(
    operation: Operation,
    first: string | undefined,
    only: (name: string) => boolean,
    server = this.server,
  ): Promise<HttpResponse> {
    const { method, parameters, body } = operation
    let target = operation.path.replace(/^\/[^/(]+\(.*?\)(?=\/|$)/, (template) => first ?? template)
    const query: string[] = []
    const headers: Record<string, string> = { Accept: 'application/json, */*;q=0.1' }
    for (const parameter of parameters) {
      const name = String(parameter.name)
      const schema = parameter.schema as Json
      const example = parameter.example ?? (schema.enum as unknown[] | undefined)?.[0]
      const text = Array.isArray(example) ? example.join(',') : String(example)
      if (parameter.in === 'path') target = target.replace(`{${name}}`, encodeURIComponent(text))
      else if (parameter.in === 'header') {
        if (parameter.required === true) headers[name] = '*'
      } else if ((parameter.required === true || only(name)) && example !== undefined) {
        query.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
      }
    }
    if (query.length > 0) target += `?${query.join('&')}`
    const content = method === 'GET' || method === 'DELETE' || body === undefined ? undefined : bodyOf(body)
    return server.send(this.root + target, {
      method,
      headers: { ...headers, ...(content === undefined ? {} : { 'Content-Type': content.type }) },
      ...(content === undefined ? {} : { body: content.text }),
    })
  }

  /** Validates a JSON response against the schema of the document. */
  validationErrors({ pointer: operation, responses }: Operation, response: HttpResponse): unknown {
    if (response.headers['content-type']?.startsWith('application/json') !== true) return []
    const status = String(response.status) in responses ? String(response.status) : 'default'
    const reference = (this.at(`${operation}/responses`)[status] as Json).$ref as string | undefined
    const base = reference ?? `${operation}/responses/${status}`
    const pointer = `document${base}/content/application~1json/schema`
    const validate = this.ajv.getSchema(encodeURI(pointer))
    if (validate === undefined) return `no schema at ${pointer}`
    return validate(JSON.parse(response.text)) === true ? [] : validate.errors
  }

  private at(pointer: string): Json {
    return pointer
      .slice(2)
      .split('/')
      .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((place, name) => (place as Json)[name], this.document) as Json
  }
}

/** A copy of the document whose schemas reject unknown members of entities and complex values. */
function exact(document: Json): Json {
  const copy = structuredClone(document)
  const { schemas } = copy.components as { schemas: Record<string, Json> }
  const bases = Object.values(schemas).flatMap(({ allOf }) => (allOf ?? []) as Json[])
  const isExtended = (name: string): boolean =>
    bases.some(({ $ref }) => $ref === `#/components/schemas/${name}`)
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties !== undefined && !isExtended(name)) {
      schema.additionalProperties = false
    } else if (schema.allOf !== undefined && !name.includes('.') && name !== 'Links') {
      schema.unevaluatedProperties = false
    }
  }
  return copy
}

function bodyOf([type, content]: readonly [string, Json]): { readonly type: string; readonly text: string } {
  if (type !== 'application/json')
    return {
      type: type === '*/*' ? 'text/plain' : type,
      text: typeof content.example === 'string' ? content.example : 'text',
    }
  return { type, text: JSON.stringify(content.example ?? {}) }
}

function setOf(path: string): string {
  return /^\/([^/(]+)\(/.exec(path)?.[1] ?? ''
}

/** Sets of optional query options to send. */
const choices: readonly ((name: string) => boolean)[] = [
  () => false,
  (name) => ['$expand', '$filter', '$inlinecount', '$orderby'].includes(name),
  (name) => ['$format', '$select', '$skip', '$top'].includes(name),
]

/** Starts a service; each change gets a new one, so that changes are independent. */
type Start = () => Promise<{
  readonly server: { send: TestServer['send'] }
  readonly stop: () => Promise<void>
  /** Paths of entities to use instead of the first one of a set. */
  readonly examples?: Readonly<Record<string, string>>
}>

const root = '/s'

async function northwind(options: ODataV2Options): ReturnType<Start> {
  const provider = memoryProvider(northwindModel, northwindData, { functions: northwindFunctions })
  const app = express()
  app.use(root, odataV2(northwindModel, provider, { openapi: true, ...options }))
  const server = await TestServer.start(app)
  return { server, stop: () => server.stop() }
}

async function files(): ReturnType<Start> {
  const directory = await mkdtemp(join(tmpdir(), 'openapi-'))
  await writeFile(join(directory, 'a.txt'), 'text')
  const app = express()
  app.use(
    root,
    odataV2(fileModel, fileProvider(directory, { writable: true, directoryTimes: true }), { openapi: true }),
  )
  const server = await TestServer.start(app)
  return {
    server,
    examples: { Files: "/Files('%2Fa.txt')" },
    stop: async () => {
      await server.stop()
      await rm(directory, { recursive: true })
    },
  }
}

/** @param language the language of the document */
async function sales(language: string): ReturnType<Start> {
  const app = express()
  const options: ODataV2Options = { ...salesOptions, languages: { default: 'en', texts: { de: {} } } }
  app.use(root, odataV2(salesModel, salesProviders.memory(), { ...options, openapi: true }))
  const server = await TestServer.start(app)
  const send: TestServer['send'] = (target, question) =>
    server.send(target, { ...question, headers: { ...question?.headers, 'Accept-Language': language } })
  return { server: { send }, stop: () => server.stop() }
}

async function restricted(): ReturnType<Start> {
  const { server } = await RestrictedServer.start({ openapi: true })
  const send: TestServer['send'] = (target, question) => server.send(target.replace(/^\/s\b/, '/n'), question)
  return { server: { send }, stop: () => server.stop() }
}

const services: Readonly<Record<string, Start>> = {
  northwind: () => northwind({}),
  'northwind, read only': () => northwind({ readOnly: true }),
  files,
  'an analytical set': () => sales('en'),
  'an analytical set, in another language': () => sales('de'),
}

describe.each(Object.entries(services))('The OpenAPI document of a service: %s', (_name, start) => {
  let client: Client
  let stop: () => Promise<void>
  const firsts = new Map<string, string | undefined>()

  beforeAll(async () => {
    const running = await start()
    stop = running.stop
    client = await Client.of(running.server, root)
    for (const set of new Set(client.operations.map(({ path }) => setOf(path)))) {
      if (set !== '') firsts.set(set, running.examples?.[set] ?? (await client.firstOf(set)))
    }
  })
  afterAll(() => stop())

  const firstOf = ({ path }: Operation): string | undefined => firsts.get(setOf(path))

  it('MUST describe the responses of every read operation by its schemas', async () => {
    const wrong: unknown[] = []
    for (const operation of client.operations.filter(({ method }) => method === 'GET')) {
      for (const only of choices) {
        const response = await client.use(operation, firstOf(operation), only)
        const isRight = response.status === 200 || (response.status === 404 && '404' in operation.responses)
        const errors = client.validationErrors(operation, response)
        if (!isRight || !Array.isArray(errors) || errors.length > 0) {
          wrong.push([operation.path, response.status, response.text.slice(0, 300), errors])
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('MUST list the responses of every change', async () => {
    const wrong: unknown[] = []
    for (const operation of client.operations.filter(({ method }) => method !== 'GET')) {
      const running = await start()
      const response = await client.use(operation, firstOf(operation), () => false, running.server)
      await running.stop()
      const isListed = String(response.status) in operation.responses
      // Examples do not know the keys of other entities, so links can fail.
      const isRefused = [400, 403, 404, 409, 415].includes(response.status)
      const errors = client.validationErrors(operation, response)
      if (!(isListed || isRefused) || !Array.isArray(errors) || errors.length > 0) {
        wrong.push([operation.method, operation.path, response.status, response.text.slice(0, 300), errors])
      }
    }
    expect(wrong).toEqual([])
  })

  it('MUST omit only methods that the service rejects with 405', async () => {
    const wrong: unknown[] = []
    for (const operation of client.unlisted) {
      const { status } = await client.use(operation, firstOf(operation), () => false)
      if (status !== 405) wrong.push([operation.method, operation.path, status])
    }
    expect(wrong).toEqual([])
  })
})

describe('The OpenAPI document of a service whose model has annotations', () => {
  it('MUST omit only operations that the annotations forbid', async () => {
    const { server, stop } = await restricted()
    const client = await Client.of(server, root)
    const wrong: unknown[] = []
    for (const operation of client.unlisted) {
      const { status, text } = await client.use(operation, undefined, () => false)
      const isRuledOut = status === 405 || (status === 400 && text.includes('sap:'))
      if (!isRuledOut) wrong.push([operation.method, operation.path, status, text.slice(0, 200)])
    }
    await stop()
    expect(wrong).toEqual([])
  })
})

describe('The validation of responses', () => {
  it('MUST find unknown members and wrong types', async () => {
    const { server, stop } = await northwind({})
    const client = await Client.of(server, root)
    const operation = client.operations.find(({ path }) => path === '/Products({ProductID})')
    if (operation === undefined) throw new Error('The operation does not exist.')
    const response = await client.use(operation, '/Products(1)', () => false)
    await stop()
    expect(client.validationErrors(operation, response)).toEqual([])
    for (const [from, to] of [
      ['"ProductName"', '"Nome"'],
      ['"ProductID":1', '"ProductID":"1"'],
    ] as const) {
      expect(response.text).toContain(from)
      expect(
        client.validationErrors(operation, { ...response, text: response.text.replace(from, to) }),
      ).not.toEqual([])
    }
  })
})
