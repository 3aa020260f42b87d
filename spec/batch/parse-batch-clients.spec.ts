import { batchBoundary } from '../../lib/batch/multipart-type.js'
import { parseBatch } from '../../lib/batch/parse-batch.js'
import { amplyLimited, inChunks, plainParts } from '../support/batch-bodies.js'
import { clientBatches } from '../support/batch-clients.js'

describe.each(clientBatches)('A batch of $client', ({ contentType, body, parts }) => {
  const boundary = batchBoundary(contentType)
  const bytes = Buffer.from(body, 'latin1')

  async function plainOf(source: AsyncIterable<Uint8Array> | Uint8Array) {
    return plainParts(await parseBatch(source, boundary, amplyLimited))
  }

  it('MUST be read', async () => {
    expect(await plainOf(bytes)).toEqual(parts)
  })

  it('MUST mean the same wherever it is cut in two', async () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const source = (async function* () {
        yield bytes.subarray(0, cut)
        yield bytes.subarray(cut)
      })()
      expect(await plainOf(source)).toEqual(parts)
    }
  })

  it.each([1, 2, 3, 7, 64, 1000])('MUST be parsed in the same way in chunks of %i bytes', async (size) => {
    expect(await plainOf(inChunks(bytes, size))).toEqual(parts)
  })

  it('MUST mean the same with a preamble and an epilogue', async () => {
    const more = Buffer.concat([
      Buffer.from(`Read this by a client that knows MIME.\r\n--${boundary}x\r\n`),
      bytes,
      Buffer.from(`\r\n--${boundary}\r\nwhat follows is not meant\r\n`),
    ])
    expect(await plainOf(more)).toEqual(parts)
  })

  it('MUST not be accepted if it is truncated', async () => {
    const closing = bytes.lastIndexOf(`--${boundary}--`) + boundary.length + 4
    for (let length = 0; length < closing; length += 1) {
      await expect(plainOf(bytes.subarray(0, length))).rejects.toMatchObject({ code: 'BadRequest' })
    }
  })
})
