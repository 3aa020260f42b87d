import type { RequestListener } from 'node:http'
import express from 'express'
import { shareShapes } from '../../lib/http/shared-shapes.js'
import { TestServer } from '../support/http-exchange.js'

interface Exchange {
  req: { res?: unknown; url: string }
  res: { req: unknown; locals: object }
}

function exchange(): Exchange {
  const made: Exchange = { req: { url: '/' }, res: { req: undefined, locals: {} } }
  made.req.res = made.res
  made.res.req = made.req
  return made
}

describe('shareShapes(req, res)', () => {
  it('MUST leave all properties what they are', () => {
    const { req, res } = exchange()
    shareShapes(req, res)
    expect(req).toEqual({ url: '/', res })
    expect(res).toEqual({ locals: {}, req })
    expect(req.res).toBe(res)
    expect(res.req).toBe(req)
  })

  it('MUST leave alone what does not refer to each other', () => {
    const { req } = exchange()
    const { res } = exchange()
    shareShapes(req, res)
    expect(req.res).not.toBe(res)
    expect(res.req).not.toBe(req)
  })

  it('MUST bear with properties that cannot be taken away', () => {
    const { req, res } = exchange()
    Object.seal(req)
    Object.seal(res)
    shareShapes(req, res)
    expect(req.res).toBe(res)
    expect(res.req).toBe(req)
  })

  it('MUST leave what middleware in front and behind has to do with requests of Express as it is', async () => {
    const app = express()
    app.use((_req, res, next) => {
      res.locals.before = 'kept'
      next()
    })
    app.use((req, res, next) => {
      shareShapes(req, res)
      next()
    })
    app.get('/all', (req, res) => {
      res.json([req.res === res, res.req === req, res.locals.before, req.get('host') !== undefined, req.path])
    })
    const server = await TestServer.start(app as RequestListener)
    const { text } = await server.ask('/all?x=1')
    await server.stop()
    expect(JSON.parse(text)).toEqual([true, true, 'kept', true, '/all'])
  })
})
