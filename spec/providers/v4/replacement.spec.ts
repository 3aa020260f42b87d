import { FaultyServer, json, metadataOf } from '../../support/v4/faulty-server.js'

const mediaType =
  '<Annotation Term="Org.OData.Core.V1.IsMediaType" Bool="true" xmlns="http://docs.oasis-open.org/odata/ns/edm"/>'

describe('PUT of an entity of a V4 service', () => {
  const upstream = new FaultyServer()

  beforeAll(async () => {
    upstream.metadata = metadataOf(`<EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Note" Type="Edm.String"/>
<Property Name="Color" Type="Edm.String" DefaultValue="red"/>
<Property Name="Owner" Type="Edm.String" Nullable="false"/>
<Property Name="Title" Type="Edm.String"/><Property Name="Kind" Type="Edm.String">${mediaType}</Property></EntityType>`)
    await upstream.start()
  })
  afterAll(() => upstream.stop())

  it('MUST set absent properties to their default or null, and leave those that the service generates', async () => {
    const bodies: unknown[] = []
    upstream.respond = (request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        if (request.method === 'GET') json({ ID: 1, Owner: 'a', Kind: 'image/png' })(request, response)
        else {
          bodies.push(JSON.parse(text))
          response.writeHead(204).end()
        }
      })
    }
    const put = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"Title":"t"}' }
    const { status } = await upstream.send('/Items(1)', {}, put)
    expect([status, bodies]).toEqual([204, [{ Note: null, Color: 'red', Title: 't' }]])
  })
})
