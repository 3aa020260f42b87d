import express from 'express'
import { errorCodes } from '../../lib/errors/error-codes.js'
import type { ODataErrorCode } from '../../lib/index.js'
import { germanMessages, memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import { shopModel, products } from '../support/export-shop.js'
import { TestServer } from '../support/http-exchange.js'
import { withHandlers } from '../support/with-handlers.js'

const germanOf = (error: ODataError): string => germanMessages[error.code](error)

describe('The German messages', () => {
  it('MUST have a message of its own for each error code', () => {
    const codes = Object.keys(errorCodes) as ODataErrorCode[]
    const messages = codes.map((code) => germanOf(new ODataError(code)))
    expect(new Set(messages).size).toBe(codes.length)
    expect(messages.filter((message) => /\b(?:the|request|is)\b|\(/.test(message))).toEqual([])
  })

  it('MUST end with the details of a message without translation', () => {
    const error = new ODataError('Conflict', { message: 'Only 3 left.' })
    expect(germanOf(error)).toBe('Die Anfrage steht im Konflikt mit dem Stand der Daten. (Only 3 left.)')
  })

  it('MUST not interpret the details as a pattern', () => {
    const error = new ODataError('ResourceNotFound', { message: "There is no resource '$1$&'." })
    expect(germanOf(error)).toBe("Es gibt keine Ressource '$1$&'.")
  })

  describe('of a service', () => {
    let server: TestServer
    beforeAll(async () => {
      const service = odataV2(
        shopModel,
        withHandlers(
          memoryProvider(shopModel, { Products: products, Categories: [{ ID: 7, Name: 'Cheese' }] }),
          shopModel,
        ),
        { languages: { default: 'en', texts: { de: { messages: germanMessages } } } },
      )
      server = await TestServer.start(express().use('/shop', service))
    })
    afterAll(() => server.stop())

    const headers = {
      Accept: 'application/json',
      'Accept-Language': 'de',
      'Content-Type': 'application/json',
    }

    it.each([
      ['GET', 'Products(9)', undefined, 'Es gibt keine Entität mit diesem Schlüssel.'],
      ['GET', 'Zebra', undefined, "Es gibt keine Ressource 'Zebra'."],
      ['GET', 'Product', undefined, "Es gibt keine Ressource 'Product'. Meinten Sie 'Products'?"],
      ['POST', 'Categories', { ID: 7 }, 'Categories(7) gibt es bereits.'],
    ])('MUST translate the message of %s %s', async (method, path, body, message) => {
      const { text } = await server.send(`/shop/${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      expect((JSON.parse(text) as { error: unknown }).error).toMatchObject({
        message: { lang: 'de', value: message },
      })
    })
  })
})
