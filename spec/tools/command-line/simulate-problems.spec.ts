import { withProblems } from '../../../lib/tools/command-line/simulate-problems.js'
import { TestServer } from '../../support/http-exchange.js'

describe('Simulated problems', () => {
  it.each([undefined, [1, 2] as const])(
    'MUST be errors of OData for all requests but those for $metadata, with the delay %j',
    async (delay) => {
      const seen: (string | undefined)[] = []
      const server = await TestServer.start(
        withProblems(
          ({ url }, response) => {
            seen.push(url)
            response.end('ok')
          },
          { delay, errorPercent: 100 },
        ),
      )
      const { status, text } = await server.send('/Products')
      expect([status, JSON.parse(text)]).toMatchObject([503, { error: { code: 'SimulatedError' } }])
      expect((await server.send('/$metadata?sap-language=EN')).text).toBe('ok')
      expect(seen).toEqual(['/$metadata?sap-language=EN'])
      await server.stop()
    },
  )

  it('MUST be none without options', () => {
    const listener = (): void => undefined
    expect(withProblems(listener, { delay: undefined, errorPercent: 0 })).toBe(listener)
  })
})
