import { atomBody } from './write-bodies.js'
import type { WriteSubject } from './write-contract.js'
import type { LiveResponse } from '../support/live-server.js'
import { root } from './write-service.js'

/** Media resources, and the entities that come with them. */
export function describeMediaWrites({ service, has }: WriteSubject): void {
  if (!has('media')) return
  const png = { 'Content-Type': 'image/png' }
  const upload = async (bytes: string | Uint8Array = 'bytes'): Promise<string> => {
    const { status, headers } = await service().send('POST', 'Photos', { bytes, headers: png })
    if (status !== 201) throw new Error(`The upload returned ${status}`)
    return String(headers.location).slice(root.length)
  }
  const media = async (address: string): Promise<LiveResponse> => service().send('GET', `${address}/$value`)

  it('MUST be created from bytes, together with their entry', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256))
    const response = await service().send('POST', 'Photos', { bytes, headers: png })
    expect([response.status, response.headers.location]).toEqual([
      201,
      expect.stringMatching(/\/Photos\(\d+\)$/),
    ])
    const address = String(response.headers.location).slice(root.length)
    const value = await media(address)
    expect([value.status, value.headers['content-type'], value.body.equals(bytes)]).toEqual([
      200,
      'image/png',
      true,
    ])
    expect((await service().entity(address)).__metadata).toMatchObject({ content_type: 'image/png' })
  })

  it('MUST be stored as bytes for every content type, including JSON', async () => {
    const question = { bytes: '{"Title":"no title"}', headers: { 'Content-Type': 'application/json' } }
    const { status, headers } = await service().send('POST', 'Photos', question)
    const address = String(headers.location).slice(root.length)
    const value = await media(address)
    expect([status, value.text, value.headers['content-type']]).toEqual([
      201,
      question.bytes,
      'application/json',
    ])
  })

  it('MUST be empty when only an entry is posted, and its key be generated', async () => {
    const atom = atomBody('Photo', { ID: '4711', Title: 't' })
    const { status, headers } = await service().send('POST', 'Photos', { atom })
    const address = String(headers.location).slice(root.length)
    expect([status, address]).toEqual([201, expect.not.stringContaining('4711')])
    expect(await service().entity(address)).toMatchObject({ Title: 't' })
    const value = await media(address)
    expect([value.status, value.text, value.headers['content-type']]).toEqual([
      200,
      '',
      'application/octet-stream',
    ])
  })

  it('MUST be replaced with their type, independently of the properties', async () => {
    const [address, other] = [await upload(), await upload('other')]
    expect(await service().status('MERGE', address, { json: { ID: 0, Title: 'later' } })).toBe(204)
    expect((await media(address)).text).toBe('bytes')
    const question = { bytes: 'new', headers: { 'Content-Type': 'image/gif' } }
    expect(await service().status('PUT', `${address}/$value`, question)).toBe(204)
    const value = await media(address)
    expect([value.text, value.headers['content-type']]).toEqual(['new', 'image/gif'])
    expect(await service().entity(address)).toMatchObject({ Title: 'later' })
    expect((await media(other)).text).toBe('other')
    expect(await service().status('PUT', 'Photos(4711)/$value', question)).toBe(404)
    expect(await service().status('MERGE', `${address}/$value`, question)).toBe(405)
  })

  it('MUST be replaced only if If-Match names the current version', async () => {
    const address = await upload()
    const put = (tag: string) =>
      service().send('PUT', `${address}/$value`, { bytes: tag, headers: { ...png, 'If-Match': tag } })
    const { etag } = (await media(address)).headers
    expect((await put('*')).status).toBe(204)
    if (etag === undefined) {
      // A store may have no versions of media resources; then none can be named.
      expect((await put('"other"')).status).toBe(400)
      return
    }
    expect((await put(etag)).status).toBe(412)
    const current = String((await media(address)).headers.etag)
    const statuses = await Promise.all([put(current), put(current), put(current)])
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([204, 412, 412])
    expect((await media(address)).text).toBe(current)
  })

  it('MUST be empty after they are deleted, and be deleted with their entity', async () => {
    const address = await upload()
    expect(await service().status('DELETE', `${address}/$value`)).toBe(204)
    const value = await media(address)
    expect([value.status, value.text]).toEqual([200, ''])
    expect(await service().status('GET', address)).toBe(200)
    expect(await service().status('DELETE', address)).toBe(204)
    expect((await media(address)).status).toBe(404)
    expect(await service().status('DELETE', address)).toBe(404)
  })

  it('MUST be rolled back with a change set that fails', async () => {
    const [kept, deleted] = [await upload('kept'), await upload('deleted')]
    const before = await service().list('Photos')
    const bytes = 'bytes'
    // Bytes stand in a batch as JSON here: any body is bytes to a media resource.
    const changes = [
      { method: 'POST', path: 'Photos', json: bytes },
      { method: 'PUT', path: `${kept}/$value`, json: bytes },
      { method: 'DELETE', path: deleted },
    ]
    const failing = { method: 'MERGE', path: 'Orders(4711)', json: {} }
    expect(await service().batch([...changes, failing])).toMatchObject([{ status: 404 }])
    expect(await service().list('Photos')).toEqual(before)
    expect([(await media(kept)).text, (await media(deleted)).text]).toEqual(['kept', 'deleted'])
    expect(await service().batch(changes)).toMatchObject([
      [{ status: 201 }, { status: 204 }, { status: 204 }],
    ])
    expect([(await media(kept)).text, (await media(deleted)).status]).toEqual(['"bytes"', 404])
  })
}
