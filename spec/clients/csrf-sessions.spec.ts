import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { executeHttpRequest } from '@sap-cloud-sdk/http-client'
import { setGlobalLogLevel } from '@sap-cloud-sdk/util'
import express from 'express'
import session from 'express-session'
import { TestServer } from '../support/http-exchange.js'
import { openNorthwind, stores } from './support/northwind.js'

const run = promisify(execFile)

setGlobalLogLevel('error')

// They fetch a token without cookies, and send it with the cookies of that response.
describe.each(stores)(
  'A service with csrf in an application with express-session, in %s',
  (_name, openStore) => {
    let server: TestServer
    let closeStore: () => Promise<void>
    beforeAll(async () => {
      const { service, close } = await openNorthwind(openStore, { csrf: true })
      closeStore = close
      const app = express()
      app.use(session({ secret: 'of this spec', resave: false, saveUninitialized: true }))
      app.use('/northwind', service)
      server = await TestServer.start(app)
    })
    afterAll(async () => {
      await server.stop()
      await closeStore()
    })

    const nameOfProduct = async (): Promise<string> =>
      (await server.send('/northwind/Products(1)/ProductName/$value')).text

    it('MUST accept changes of SAP Cloud SDK', async () => {
      const { status } = await executeHttpRequest(
        { url: `http://${server.host}/northwind` },
        {
          method: 'patch',
          url: '/Products(1)',
          data: { ProductName: 'Changed by the SDK' },
          headers: { 'if-match': '*' },
        },
      )
      expect([status, await nameOfProduct()]).toEqual([204, 'Changed by the SDK'])
    })

    it('MUST accept changes of CAP', async () => {
      await run(process.execPath, [join(__dirname, 'cap/change.mjs'), `http://${server.host}/northwind`])
      expect(await nameOfProduct()).toBe('Changed by CAP')
    })
  },
)
