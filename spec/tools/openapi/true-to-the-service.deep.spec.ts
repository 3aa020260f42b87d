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
import type { Answer } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { RestrictedServer } from '../../support/services/restricted-service.js'

type Json = Record<string, unknown>

/** One operation with everything that is needed to use it; references are resolved. */
interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Json[]
  readonly body: readonly [type: string, content: Json] | undefined
  readonly responses: Readonly<Record<string, Json>>
  /** JSON pointer to the operation. */
  readonly place: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** A client that knows nothing of a service but its document. */
class Client {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false })

  private constructor(
    private readonly server: { ask: TestServer['ask'] },
    private readonly root: string,
    readonly document: Json,
  ) {
    this.ajv.addSchema(exact(document), 'document')
  }

  static async of(server: { ask: TestServer['ask'] }, root: string): Promise<Client> {
    const { text } = await server.ask(`${root}/$openapi`)
    return new Client(server, root, JSON.parse(text) as Json)
  }

  get operations(): Operation[] {
    return this.paths.flatMap(([path, item]) =>
      methods.filter((one) => one in item).map((method) => this.operation(path, item, method)),
    )
  }

  /** What the document does not list, for paths that it has. */
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
      place: `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
    }
  }

  private resolved(value: Json | undefined): Json | undefined {
    if (typeof value?.$ref !== 'string') return value
    return value.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((place, name) => (place as Json)[name], this.document) as Json
  }

  /** The address of the first entity of a set, below the root. */
  async firstOf(set: string): Promise<string | undefined> {
    const { status, text } = await this.server.ask(`${this.root}/${set}?$top=1&$format=json`)
    if (status !== 200) return undefined
    const [row] = (JSON.parse(text) as { d: { results: { __metadata: { uri: string } }[] } }).d.results
    return row && new URL(row.__metadata.uri).pathname.slice(this.root.length)
  }

  /** Uses an operation as its examples say, on an entity that there is. */
  async use(
    operation: Operation,
    first: string | undefined,
    only: (name: string) => boolean,
    server = this.server,
  ): Promise<Answer> {
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
    return server.ask(this.root + target, {
      method,
      headers: { ...headers, ...(content === undefined ? {} : { 'Content-Type': content.type }) },
      ...(content === undefined ? {} : { body: content.text }),
    })
  }

  /** What is wrong with a JSON answer. */
  faultsOf({ place, responses }: Operation, answer: Answer): unknown {
    if (answer.headers['content-type']?.startsWith('application/json') !== true) return []
    const status = String(answer.status) in responses ? String(answer.status) : 'default'
    const response = (this.at(`${place}/responses`)[status] as Json).$ref as string | undefined
    const base = response ?? `${place}/responses/${status}`
    const pointer = `document${base}/content/application~1json/schema`
    const validate = this.ajv.getSchema(encodeURI(pointer))
    if (validate === undefined) return `no schema at ${pointer}`
    return validate(JSON.parse(answer.text)) === true ? [] : validate.errors
  }

  private at(pointer: string): Json {
    return pointer
      .slice(2)
      .split('/')
      .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((place, name) => (place as Json)[name], this.document) as Json
  }
}

/** The same document, in which entities and complex values have no other members than those that they are said to have. */
function exact(document: Json): Json {
  const copy = structuredClone(document)
  const { schemas } = copy.components as { schemas: Record<string, Json> }
  const bases = Object.values(schemas).flatMap(({ allOf }) => (allOf ?? []) as Json[])
  const isExtended = (name: string): boolean =>
    bases.some(({ $ref }) => $ref === `#/components/schemas/${name}`)
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.properties !== undefined && name !== 'Results' && !isExtended(name)) {
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

/** Which of the query options that need not be given are given. */
const choices: readonly ((name: string) => boolean)[] = [
  () => false,
  (name) => ['$expand', '$filter', '$inlinecount', '$orderby'].includes(name),
  (name) => ['$format', '$select', '$skip', '$top'].includes(name),
]

/** Started anew for each change, so that none sees what another has done. */
type Start = () => Promise<{
  readonly server: { ask: TestServer['ask'] }
  readonly stop: () => Promise<void>
  /** An entity of a set, when it is not to be the first one. */
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

async function restricted(): ReturnType<Start> {
  const { server } = await RestrictedServer.start({ openapi: true })
  const ask: TestServer['ask'] = (target, question) => server.ask(target.replace(/^\/s\b/, '/n'), question)
  return { server: { ask }, stop: () => server.stop() }
}

const services: Readonly<Record<string, Start>> = {
  northwind: () => northwind({}),
  'northwind, read only': () => northwind({ readOnly: true }),
  files,
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

  it('MUST be right about everything that can be read', async () => {
    const wrong: unknown[] = []
    for (const operation of client.operations.filter(({ method }) => method === 'GET')) {
      for (const only of choices) {
        const answer = await client.use(operation, firstOf(operation), only)
        const isRight = answer.status === 200 || (answer.status === 404 && '404' in operation.responses)
        const faults = client.faultsOf(operation, answer)
        if (!isRight || !Array.isArray(faults) || faults.length > 0) {
          wrong.push([operation.path, answer.status, answer.text.slice(0, 300), faults])
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('MUST be right about everything that changes data', async () => {
    const wrong: unknown[] = []
    for (const operation of client.operations.filter(({ method }) => method !== 'GET')) {
      const running = await start()
      const answer = await client.use(operation, firstOf(operation), () => false, running.server)
      await running.stop()
      const isListed = String(answer.status) in operation.responses
      // Examples know no keys of others: what they would link to need not be there.
      const isRefused = [400, 403, 404, 409, 415].includes(answer.status)
      const faults = client.faultsOf(operation, answer)
      if (!(isListed || isRefused) || !Array.isArray(faults) || faults.length > 0) {
        wrong.push([operation.method, operation.path, answer.status, answer.text.slice(0, 300), faults])
      }
    }
    expect(wrong).toEqual([])
  })

  it('MUST leave out only what is answered with 405', async () => {
    const wrong: unknown[] = []
    for (const operation of client.unlisted) {
      const { status } = await client.use(operation, firstOf(operation), () => false)
      if (status !== 405) wrong.push([operation.method, operation.path, status])
    }
    expect(wrong).toEqual([])
  })
})

describe('The OpenAPI document of a service whose model has annotations', () => {
  it('MUST leave out only what they rule out', async () => {
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

describe('The check of answers', () => {
  it('MUST see members and values that the document does not know', async () => {
    const { server, stop } = await northwind({})
    const client = await Client.of(server, root)
    const operation = client.operations.find(({ path }) => path === '/Products({ProductID})')
    if (operation === undefined) throw new Error('There is no such operation.')
    const answer = await client.use(operation, '/Products(1)', () => false)
    await stop()
    expect(client.faultsOf(operation, answer)).toEqual([])
    for (const [from, to] of [
      ['"ProductName"', '"Nome"'],
      ['"ProductID":1', '"ProductID":"1"'],
    ] as const) {
      expect(answer.text).toContain(from)
      expect(client.faultsOf(operation, { ...answer, text: answer.text.replace(from, to) })).not.toEqual([])
    }
  })
})
