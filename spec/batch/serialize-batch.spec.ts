import type { ResponseSource, BatchResponse, PartResponse } from '../../lib/batch/serialize-batch.js'
import { batchContentType, createBatchBoundary, serializeBatch } from '../../lib/batch/serialize-batch.js'
import { batchBoundary } from '../../lib/batch/multipart-type.js'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/

function sourceOf(responses: Iterable<BatchResponse> | AsyncIterable<BatchResponse>): ResponseSource {
  const iterator =
    Symbol.asyncIterator in responses ? responses[Symbol.asyncIterator]() : responses[Symbol.iterator]()
  const valueOf = ({ done, value }: IteratorResult<BatchResponse>): BatchResponse | undefined =>
    done === true ? undefined : value
  return {
    next() {
      const step = iterator.next()
      return step instanceof Promise ? step.then(valueOf) : valueOf(step)
    },
    close: () => void iterator.return?.(),
  }
}

/** Yields the chunks of a response body, and records that it has been closed. */
async function* chunksOf(
  boundary: string,
  responses: Iterable<BatchResponse> | AsyncIterable<BatchResponse>,
): AsyncGenerator<string | Uint8Array> {
  const document = serializeBatch(boundary, sourceOf(responses))
  try {
    for (let chunk = await document.next(); chunk !== undefined; chunk = await document.next()) yield chunk
  } finally {
    await document.close()
  }
}

async function written(responses: Iterable<BatchResponse> | AsyncIterable<BatchResponse>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of chunksOf('batchresponse_1', responses)) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString('latin1')
  // Each change set has a boundary of its own: they are numbered as they come.
  const names = [...new Set(text.match(new RegExp(`changesetresponse_${uuid.source}`, 'g')))]
  return names.reduce((all, name, index) => all.replaceAll(name, `changesetresponse_${index + 2}`), text)
}

const ok: PartResponse = {
  status: 200,
  headers: { DataServiceVersion: '2.0', 'Content-Type': 'application/json;charset=utf-8' },
  body: '{"d":{"results":[]}}',
  contentId: undefined,
  partContentId: undefined,
}
const noContent: PartResponse = {
  status: 204,
  headers: { DataServiceVersion: '2.0' },
  body: undefined,
  contentId: '1',
  partContentId: '1',
}
const response = (more: Partial<PartResponse>): BatchResponse => ({
  kind: 'Response',
  response: { ...ok, ...more },
})

describe('The response to a batch', () => {
  it('MUST be serialized in the exact form that clients expect', async () => {
    const responses: BatchResponse[] = [
      { kind: 'Response', response: ok },
      { kind: 'ChangeSet', responses: [noContent] },
    ]
    expect(await written(responses)).toBe(
      '--batchresponse_1\r\n' +
        'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
        'HTTP/1.1 200 OK\r\nContent-Type: application/json;charset=utf-8\r\nContent-Length: 20\r\n' +
        'DataServiceVersion: 2.0\r\n\r\n{"d":{"results":[]}}\r\n' +
        '--batchresponse_1\r\nContent-Type: multipart/mixed; boundary=changesetresponse_2\r\n\r\n' +
        '--changesetresponse_2\r\n' +
        'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: 1\r\n\r\n' +
        'HTTP/1.1 204 No Content\r\nContent-ID: 1\r\nDataServiceVersion: 2.0\r\n\r\n\r\n' +
        '--changesetresponse_2--\r\n' +
        '--batchresponse_1--\r\n',
    )
  })

  it('MUST consist of the closing delimiter when it is empty', async () => {
    expect(await written([])).toBe('--batchresponse_1--\r\n')
    expect(await written([{ kind: 'ChangeSet', responses: [] }])).toBe(
      '--batchresponse_1\r\nContent-Type: multipart/mixed; boundary=changesetresponse_2\r\n\r\n' +
        '--changesetresponse_2--\r\n--batchresponse_1--\r\n',
    )
  })

  it('MUST have one part for each response in order, with a boundary for each change set', async () => {
    const created: PartResponse = {
      status: 201,
      headers: {
        DataServiceVersion: '2.0',
        Location: 'http://h/n/Products(5)',
        ETag: 'W/"1"',
        'Content-Type': 'application/json;charset=utf-8',
      },
      body: '{}',
      contentId: 'id-1',
      partContentId: 'id-1',
    }
    const text = await written([
      {
        kind: 'ChangeSet',
        responses: [created, { ...noContent, contentId: undefined, partContentId: undefined }],
      },
      response({ status: 404, body: 'x' }),
      { kind: 'ChangeSet', responses: [created] },
    ])
    expect(text).toContain(
      '--changesetresponse_2\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n' +
        'Content-ID: id-1\r\n\r\nHTTP/1.1 201 Created\r\nContent-ID: id-1\r\n' +
        'Content-Type: application/json;charset=utf-8\r\nContent-Length: 2\r\nDataServiceVersion: 2.0\r\n' +
        'Location: http://h/n/Products(5)\r\nETag: W/"1"\r\n\r\n{}\r\n' +
        '--changesetresponse_2\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
        'HTTP/1.1 204 No Content\r\nDataServiceVersion: 2.0\r\n\r\n\r\n--changesetresponse_2--\r\n' +
        '--batchresponse_1\r\nContent-Type: application/http\r\n',
    )
    expect(text.match(/^--\S+/gm)).toEqual([
      '--batchresponse_1',
      '--changesetresponse_2',
      '--changesetresponse_2',
      '--changesetresponse_2--',
      '--batchresponse_1',
      '--batchresponse_1',
      '--changesetresponse_3',
      '--changesetresponse_3--',
      '--batchresponse_1--',
    ])
  })

  it('MUST end all lines in CRLF', async () => {
    const text = await written([response({}), { kind: 'ChangeSet', responses: [noContent, ok] }])
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  it.each([
    [200, 'OK'],
    [304, 'Not Modified'],
    [404, 'Not Found'],
    [412, 'Precondition Failed'],
    [428, 'Precondition Required'],
    [501, 'Not Implemented'],
    [599, 'Unknown'],
  ])('MUST have a reason phrase: %i %s', async (status, reason) => {
    expect(await written([response({ status })])).toContain(`\r\n\r\nHTTP/1.1 ${status} ${reason}\r\n`)
  })

  it.each<[string, string | Uint8Array, number]>([
    ['text', 'Käse 😀', 10],
    ['bytes', Uint8Array.of(0, 255, 13, 10), 4],
    ['nothing', '', 0],
    ['no bytes', new Uint8Array(0), 0],
  ])('MUST contain the length of a body in bytes: %s', async (_, body, length) => {
    expect(await written([response({ body })])).toContain(
      `Content-Length: ${length}\r\nDataServiceVersion: 2.0\r\n\r\n${Buffer.from(body).toString('latin1')}\r\n` +
        '--batchresponse_1--\r\n',
    )
  })

  it.each([
    ['204', { status: 204, body: 'ignored' }],
    ['304', { status: 304, body: 'ignored' }],
    ['an answer to HEAD', { status: 200, body: undefined }],
  ])('MUST have an empty line and no Content-Length without body: %s', async (_, more) => {
    const text = await written([
      response({ ...more, headers: { 'Content-Length': '20', DataServiceVersion: '2.0' } }),
      response({ body: '{}' }),
    ])
    expect(text).toMatch(
      /HTTP\/1\.1 \d+ [A-Za-z ]+\r\nDataServiceVersion: 2\.0\r\n\r\n\r\n--batchresponse_1\r\n/,
    )
  })

  it('MUST write headers in their usual case, whatever they are given in', async () => {
    const headers = {
      vary: 'Accept',
      ETAG: 'W/"1"',
      'www-authenticate': 'Basic realm="x"',
      dataserviceversion: '1.0',
      'content-type': 'text/plain',
      'x-content-type-options': 'nosniff',
      'sap-message': '{}',
      'content-length': '999',
      'Content-Id': '7',
      Connection: 'close',
      'transfer-encoding': 'chunked',
    }
    expect(await written([response({ headers, body: 'x' })])).toContain(
      'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1\r\nDataServiceVersion: 1.0\r\nVary: Accept\r\n' +
        'ETag: W/"1"\r\nWWW-Authenticate: Basic realm="x"\r\nX-Content-Type-Options: nosniff\r\nsap-message: {}\r\n\r\nx\r\n',
    )
  })

  it('MUST remove line breaks from header values', async () => {
    const headers = { Location: 'http://h/\r\nSet-Cookie: a=b', ETag: 'W/"\n\0\u2028"' }
    const text = await written([response({ headers, contentId: '1\r\n\r\nx', partContentId: '1\r\n\r\nx' })])
    expect(text).toContain('\r\nLocation: http://h/??Set-Cookie: a=b\r\nETag: W/"???"\r\n')
    expect(text.match(/Content-ID: 1\?\?\?\?x\r\n/g)).toHaveLength(2)
  })
})

describe('The chunks of a response', () => {
  async function* counted(
    count: number,
    body: string | Uint8Array,
    log: string[],
  ): AsyncGenerator<BatchResponse> {
    try {
      for (let index = 0; index < count; index++) {
        log.push('answer')
        yield response({ body })
      }
    } finally {
      log.push('closed')
    }
  }

  it('MUST be emitted before the next response is read, when they are long', async () => {
    const log: string[] = []
    for await (const chunk of chunksOf('b', counted(3, 'x'.repeat(50_000), log))) {
      log.push(chunk.length > 50_000 ? 'piece' : 'end')
    }
    expect(log).toEqual(['answer', 'piece', 'answer', 'piece', 'answer', 'piece', 'closed', 'end'])
  })

  it('MUST be put together when they are short', async () => {
    const chunks = []
    for await (const chunk of chunksOf('b', counted(20, 'x', []))) chunks.push(chunk)
    expect(chunks).toHaveLength(1)
  })

  it('MUST contain the bytes of a body unchanged', async () => {
    const body = Buffer.alloc(100, 7)
    const chunks = []
    for await (const chunk of chunksOf('b', counted(1, body, []))) chunks.push(chunk)
    expect(chunks[1]).toBe(body)
  })

  it('MUST close the responses when it is closed, and pass on their errors', async () => {
    const log: string[] = []
    for await (const chunk of chunksOf('b', counted(3, 'x'.repeat(50_000), log))) {
      log.push(String(chunk.length > 0))
      break
    }
    expect(log).toEqual(['answer', 'true', 'closed'])
    async function* failing(): AsyncGenerator<BatchResponse> {
      yield response({})
      throw new Error('lost')
    }
    await expect(written(failing())).rejects.toThrow('lost')
  })
})

describe('The boundary of a response', () => {
  it('MUST be unique, and last in the Content-Type without quotes', () => {
    const boundary = createBatchBoundary()
    expect(boundary).toMatch(new RegExp(`^batchresponse_${uuid.source}$`))
    expect(createBatchBoundary()).not.toBe(boundary)
    expect(batchContentType(boundary)).toBe(`multipart/mixed; boundary=${boundary}`)
    expect(batchBoundary(batchContentType(boundary))).toBe(boundary)
  })
})
