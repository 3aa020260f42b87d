import { TestServer } from '../../../support/http-exchange.js'

interface Client {
  fetch(address: string): Promise<unknown>
  send(address: string, options: object): Promise<unknown>
  upload(...given: readonly unknown[]): Promise<unknown>
}

// Not imported, because its types are those of a browser.
const { ServiceClient } = jest.requireActual<{
  readonly ServiceClient: new (root: string, publicRoot: string, signIn: () => Promise<undefined>) => Client
}>('../../../../lib/tools/explorer/page/service-client.js')

describe('The client of the explorer', () => {
  const received: string[] = []
  let server: TestServer

  beforeAll(async () => {
    server = await TestServer.start((request, response) => {
      received.push(`${request.method ?? ''} ${request.url ?? ''}`)
      response.end('{}')
    })
  })
  afterAll(() => server.stop())

  it.each(['../other/', '../../admin'])(
    'MUST send nothing to an address outside of the service: %s',
    async (address) => {
      const root = `http://${server.host}/shop/`
      const client = new ServiceClient(root, root, () => Promise.resolve(undefined))
      await expect(client.fetch(address)).rejects.toThrow('outside of the service')
      await expect(client.send(address, { method: 'DELETE' })).rejects.toThrow('outside of the service')
      await expect(client.upload('PUT', address, {}, new Blob(['bytes']), () => undefined)).rejects.toThrow(
        'outside of the service',
      )
      expect(received).toEqual([])
    },
  )
})
