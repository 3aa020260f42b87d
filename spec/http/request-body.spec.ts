import { PassThrough, Readable } from 'node:stream'
import { readBody, IncompleteBody, IncomingBody } from '../../lib/http/request-body.js'

const hello = Buffer.from('hello')

function halves(): PassThrough {
  const stream = new PassThrough()
  stream.write(hello.subarray(0, 2))
  setImmediate(() => stream.end(hello.subarray(2)))
  return stream
}

async function read(source: Readable, announced: string | undefined, limit = 100): Promise<string> {
  return Buffer.from(await readBody(new IncomingBody(source, announced), limit)).toString()
}

describe('The body of a request', () => {
  it.each([
    ['known to be short', '5'],
    ['of a length that is not known', undefined],
    ['that may be long', '100000'],
    ['of a length that is no number', 'five'],
  ])('MUST be read to its end when it is %s', async (_, announced) => {
    expect(await read(halves(), announced, 200_000)).toBe('hello')
    expect(await read(Readable.from([hello]), announced, 200_000)).toBe('hello')
    expect(await read(Readable.from([]), announced, 200_000)).toBe('')
  })

  it.each(['7', undefined])(
    'MUST be read when earlier middleware has set an encoding: %s',
    async (announced) => {
      const source = new PassThrough()
      source.setEncoding('utf8')
      const bytes = Buffer.from('héllo€')
      source.write(bytes.subarray(0, 2))
      setImmediate(() => source.end(bytes.subarray(2)))
      expect(await read(source, announced)).toBe('héllo€')
    },
  )

  it('MUST be read when earlier middleware has paused it', async () => {
    const source = halves()
    source.pause()
    expect(await read(source, '5')).toBe('hello')
  })

  it('MUST be read when earlier middleware also listens to it', async () => {
    const source = halves()
    source.on('readable', () => undefined)
    expect(await read(source, '5')).toBe('hello')
  })

  it('MUST leave its bytes to others who listen as well', async () => {
    const source = halves()
    const heard: Buffer[] = []
    source.on('data', (chunk: Buffer) => heard.push(chunk))
    expect(await read(source, '5')).toBe('hello')
    expect(Buffer.concat(heard)).toEqual(hello)
  })

  it.each(['5', undefined])('MUST be rejected when it breaks off, its length being %s', async (announced) => {
    for (const cause of [new Error('reset'), undefined]) {
      const source = new PassThrough()
      source.write('he')
      setImmediate(() => source.destroy(cause))
      const failure = await read(source, announced).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(IncompleteBody)
      if (cause !== undefined) expect(failure).toHaveProperty('cause', cause)
    }
  })

  it('MUST be rejected when it was aborted before', async () => {
    const source = new PassThrough()
    source.destroy()
    await expect(read(source, '5')).rejects.toBeInstanceOf(IncompleteBody)
  })

  it('MUST be rejected when it has more bytes than allowed, regardless of Content-Length', async () => {
    await expect(read(halves(), '5', 4)).rejects.toHaveProperty('code', 'PayloadTooLarge')
    await expect(read(halves(), undefined, 4)).rejects.toHaveProperty('code', 'PayloadTooLarge')
    await expect(read(halves(), '1', 4)).rejects.toHaveProperty('code', 'PayloadTooLarge')
  })
})
