import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { createServer } from 'node:http'
import type { ChunkSource } from '../../lib/http/odata-response.js'
import { sendDocument } from '../../lib/http/send-response.js'
import { turnEventLoop } from '../support/event-loop.js'
import { manualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'

const size = 65_536
const reused = Buffer.alloc(size, 'k')

const kinds = {
  text: () => 'x'.repeat(size),
  'the same bytes': () => reused,
}

/** Sends chunks to a client, and reports the number of buffered bytes whenever the next chunk is requested. */
async function waiting(
  make: () => string | Uint8Array,
  chunks: number,
  isRead: boolean,
  isSeen = false,
): Promise<{ readonly most: number; readonly made: number; readonly received: number }> {
  let most = 0
  let made = 0
  const server = createServer((_req, res) => {
    if (isSeen) res.write = res.write.bind(res)
    const source: ChunkSource = {
      kind: 'ChunkSource',
      next() {
        most = Math.max(most, res.writableLength)
        return made++ < chunks ? make() : undefined
      },
      close: () => undefined,
    }
    void sendDocument(res, { status: 200, headers: {}, body: source }, source, false)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let received = 0
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')
  if (isRead) {
    client.on('data', (bytes) => (received += bytes.length))
    await new Promise((resolve) => client.on('close', resolve))
  } else {
    await until(() => made > 0)
    // Until the buffers of the operating system are full.
    for (let before = 0; before !== made;) {
      before = made
      await turnEventLoop(100)
    }
  }
  client.destroy()
  await new Promise((resolve) => server.close(resolve))
  return { most, made, received }
}

describe('The chunks of a document', () => {
  // Chunks that take long are sent in several turns of the event loop.
  manualClock()

  it('MUST be sent together if they need no additional memory', async () => {
    const { most, received } = await waiting(kinds['the same bytes'], 8, true)
    expect(most).toBeGreaterThan(7 * size)
    expect(received).toBeGreaterThan(8 * size)
  })

  it.each<[keyof typeof kinds, number, string]>([
    ['text', 4 * size, 'alone'],
    ['text', 4 * size, 'with middleware around them'],
    ['the same bytes', 18 * size, 'alone'],
  ])('MUST wait for a client that does not read: %s, %i bytes, %s', async (kind, limit, where) => {
    const { most, made } = await waiting(kinds[kind], 2000, false, where !== 'alone')
    expect(most).toBeLessThan(limit)
    expect(made).toBeLessThan(1000)
  })
})
