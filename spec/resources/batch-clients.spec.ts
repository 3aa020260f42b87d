import express from 'express'
import { responsesIn, jsonOf, postBatch, single, statusesOf } from '../support/batch-exchange.js'
import { clientBatches } from '../support/batch-clients.js'
import type { ClientBatch } from '../support/batch-clients.js'
import { codeBlocks } from '../support/documentation.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

const atomEntry =
  '<entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">' +
  '<properties xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">' +
  '<Name xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices">Tea</Name>' +
  '</properties></content></entry>'

interface Run {
  readonly client: string
  readonly mount: string
  /** Makes what the client sends fit the data of the service. */
  readonly fit?: (body: string) => string
  readonly statuses: (number | number[])[]
}

const runs: readonly Run[] = [
  { client: 'OpenUI5', mount: '/n', statuses: [[201, 204], 200] },
  // Products has a version, which this client does not name.
  { client: 'datajs', mount: '/n', statuses: [200, 428] },
  {
    client: 'datajs',
    mount: '/n',
    fit: (body) =>
      body
        .replace('PUT Products(1) HTTP/1.1\r\n', 'PUT Products(1) HTTP/1.1\r\nIf-Match: W/"3"\r\n')
        .replace('DELETE Products(2)', 'DELETE Categories(4)'),
    statuses: [200, [204, 204]],
  },
  { client: 'SAP Cloud SDK', mount: '/odata/svc', statuses: [404, 200] },
  {
    client: 'SAP Cloud SDK',
    mount: '/odata/svc',
    fit: (body) => body.replace('No=3', 'No=1'),
    statuses: [[204, 204], 200],
  },
  { client: 'CAP', mount: '/n', statuses: [404, 404] },
  {
    client: 'CAP',
    mount: '/n',
    fit: (body) => body.replaceAll('/Header', '/Categories').replace('"name"', '"Name"'),
    statuses: [200, [201]],
  },
  { client: 'pyodata', mount: '/n', statuses: [200, [201]] },
  // An entry must have the namespace of Atom.
  { client: '.NET WCF', mount: '/svc', statuses: [200, 400] },
  {
    client: '.NET WCF',
    mount: '/svc',
    fit: (body) =>
      body.replaceAll('<entry/>', atomEntry).replaceAll('Length: 8', `Length: ${atomEntry.length}`),
    statuses: [200, [201, 201]],
  },
]

function batchOf(client: string): ClientBatch {
  const batch = clientBatches.find((one) => one.client.startsWith(client))
  if (batch === undefined) throw new Error(`There is no batch of ${client}.`)
  return batch
}

describe('The batch of a client', () => {
  let server: TestServer
  afterEach(() => server.stop())

  async function send({ client, mount, fit }: Omit<Run, 'statuses'>) {
    server = await TestServer.start(express().use(mount, exampleService({ readOnly: false })))
    const { body, contentType } = batchOf(client)
    const sent = fit === undefined ? body : fit(body)
    return responsesIn(await postBatch(server.port, sent, { 'Content-Type': contentType }, `${mount}/$batch`))
  }

  it.each(runs)('MUST get the expected responses: $client with $statuses', async ({ statuses, ...run }) => {
    expect(statusesOf(await send(run))).toEqual(statuses)
  })

  it('MUST return to OpenUI5 the entities that the change set has created', async () => {
    const [changes, read] = await send({ client: 'OpenUI5', mount: '/n' })
    const ids =
      changes !== undefined && !('status' in changes)
        ? changes.map(({ headers }) => headers['content-id'])
        : []
    expect(ids).toEqual(['id-1700000000000-4', 'id-1700000000000-5'])
    expect(jsonOf(read)).toMatchObject({ Name: 'Käse', Products: { results: [] } })
    expect(await server.send('/n/Products(1)/Price/$value')).toMatchObject({ text: '2.50' })
  })

  it('MUST return to WCF the entity that a change refers to', async () => {
    const run = runs.find(({ client, fit }) => client === '.NET WCF' && fit !== undefined)
    await send(run as Run)
    const { text } = await server.send('/svc/Categories(5)/Products?$format=json')
    expect(JSON.parse(text)).toMatchObject({ d: { results: [{ Name: 'Tea' }] } })
  })

  it('MUST get the responses that the guide shows', async () => {
    const [block] = codeBlocks('docs/batch.md').filter(({ language }) => language === 'http')
    const [head = '', ...rest] = (block?.code ?? '').split('\n\n')
    const contentType = /^Content-Type: (.*)$/m.exec(head)?.[1] ?? ''
    const words = { Orders: 'Categories', Items: 'Products', Customer: 'Name', Text: 'Name' }
    const body = rest
      .join('\n\n')
      .replace(/Orders|Items|Customer|Text/g, (word) => words[word as keyof typeof words])
    server = await TestServer.start(express().use('/shop', exampleService({ readOnly: false })))
    const headers = { 'Content-Type': contentType }
    const responses = responsesIn(await postBatch(server.port, body, headers, '/shop/$batch'))
    expect(statusesOf(responses)).toEqual([[201, 201], 200])
    expect(jsonOf(responses[1])).toMatchObject({ Name: 'Ada', Products: { results: [{ Name: 'Gouda' }] } })
  })

  it('MUST get responses with CRLF for clients that send bare line feeds', async () => {
    const [first] = await send({ client: 'CAP', mount: '/n' })
    expect(single(first).reason).toBe('Not Found')
  })
})
