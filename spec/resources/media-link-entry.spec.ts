import express from 'express'
import type { EntitySetProvider, MediaProvider, Row } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleServiceWith } from '../support/services/example-service.js'

const rows = [{ ID: 1, Title: 'a' }]

/** The entry of the only photo, in Atom and in JSON. */
async function entryWith(
  media: MediaProvider<Row> | undefined,
): Promise<{ xml: string; json: string; stream: number }> {
  const set: EntitySetProvider = { read: () => rows, ...(media === undefined ? {} : { media }) }
  const server = await TestServer.start(express().use('/n', exampleServiceWith('Photos', set)))
  try {
    const xml = (await server.send('/n/Photos(1)')).text
    const json = (await server.send('/n/Photos(1)?$format=json')).text.replaceAll(`http://${server.host}`, '')
    return { xml, json, stream: (await server.send('/n/Photos(1)/$value')).status }
  } finally {
    await server.stop()
  }
}

const open = (): undefined => undefined

describe('A media link entry', () => {
  it('MUST have no ETag if the provider returns none', async () => {
    const { xml, json } = await entryWith({ contentType: () => 'image/png', open })
    expect(xml).toContain('<link rel="edit-media" title="Photo" href="Photos(1)/$value"/>')
    expect(json).toContain(
      '"content_type":"image/png","media_src":"/n/Photos(1)/$value","edit_media":"/n/Photos(1)/$value"}',
    )
  })

  it('MUST name the ETag of the media resource, which is not that of the entity', async () => {
    const { xml, json } = await entryWith({ contentType: () => 'image/png', etag: () => '"a&b"', open })
    expect(xml).toContain('href="Photos(1)/$value" m:etag="&quot;a&amp;b&quot;"/>')
    expect(xml).toMatch(/<entry(?! [^>]*m:etag)/)
    expect(json).toContain('"media_etag":"\\"a&b\\""}')
  })

  it('MUST escape the content type of the provider', async () => {
    const { xml, json } = await entryWith({ contentType: () => 'a/b; c="<&>"', open })
    expect(xml).toContain('<content type="a/b; c=&quot;&lt;&amp;&gt;&quot;" src="Photos(1)/$value"/>')
    expect((JSON.parse(json) as { d: { __metadata: unknown } }).d.__metadata).toMatchObject({
      content_type: 'a/b; c="<&>"',
    })
  })

  it('MUST be bytes of no known type where the provider has no media', async () => {
    const { xml, json, stream } = await entryWith(undefined)
    expect(xml).toContain('<content type="application/octet-stream" src="Photos(1)/$value"/><m:properties>')
    expect(json).toContain('"content_type":"application/octet-stream"')
    expect(stream).toBeGreaterThanOrEqual(404)
  })
})
