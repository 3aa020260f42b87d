import { parseUser } from '../../../lib/tools/command-line/basic-authentication.js'
import { serveSources } from '../../../lib/tools/command-line/commands/serve.js'
import { parseServeArguments } from '../../../lib/tools/command-line/serve-arguments.js'
import { commandIo } from '../../support/command-io.js'

describe('The option --user', () => {
  afterEach(() => {
    delete process.env.ODATA_V2_PASSWORD
  })

  it('MUST have a password, in the option or in the environment', () => {
    expect(parseUser('ada:pass:word')).toBe('ada:pass:word')
    expect(() => parseUser('ada')).toThrow('<name>:<password>')
    expect(() => parseUser(':secret')).toThrow('<name>:<password>')
    expect(() => parseUser('ada:')).toThrow('<name>:<password>')
    process.env.ODATA_V2_PASSWORD = 'secret'
    expect(parseUser('ada')).toBe('ada:secret')
  })

  it('MUST refuse requests without its credentials, and changes by web pages of other hosts', async () => {
    const words = ['spec', '--user', 'ada:grüße:x', '--port', '0']
    const service = await serveSources(parseServeArguments(words), commandIo())
    try {
      const basic = (user: string): string => `Basic ${Buffer.from(user).toString('base64')}`
      const send = (authorization: string | undefined, more: RequestInit = {}): Promise<Response> =>
        fetch(`${service.root}$metadata`, {
          ...more,
          headers: { ...(authorization === undefined ? {} : { authorization }), ...more.headers },
        })
      const refused = await send(undefined)
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="OData", charset="UTF-8"',
      ])
      const wrong = ['ada:', 'ada:other', 'bob:grüße:x', '', 'ada:grüße:x '].map(basic)
      for (const authorization of [...wrong, 'Bearer x', 'Basic', 'Basic %'])
        expect((await send(authorization)).status).toBe(401)
      expect((await send(basic('ada:grüße:x'))).status).toBe(200)
      const headers = { Origin: 'https://other.example' }
      expect((await send(basic('ada:grüße:x'), { method: 'POST', headers })).status).toBe(403)
    } finally {
      await service.stop()
    }
  })
})
