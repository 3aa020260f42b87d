import express from 'express'
import type { LanguageOptions, Provider, ServiceOptions } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, ODataError, odataV2, readEdmx } from '../../lib/index.js'
import { shopModel, shopProvider } from '../support/export-shop.js'
import { batchBody, get, written } from '../support/batch-exchange.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const languages: LanguageOptions = {
  default: 'en',
  texts: {
    de: {
      labels: {
        'Shop.Product': 'Produkt',
        'Shop.Product/Name': { label: 'Bezeichnung', quickinfo: 'Name & Art' },
        'Shop.Size/Width': 'Breite',
        'Container/Products': 'Produkte',
      },
      messages: {
        ResourceNotFound: 'Nicht gefunden.',
        NotAcceptable: (error) => `Kein Format: ${error.message}`,
        UnsupportedMediaType: () => {
          throw new Error('A message that cannot be created.')
        },
        InternalServerError: (error) => `Fehler: ${error.message}`,
      },
    },
    'zh-Hans': {},
  },
}

const plainModel = defineModel({
  namespace: 'Shop',
  entityTypes: { Product: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})

/** A service whose provider returns the language of the call. */
function localizedShop(options: ServiceOptions = {}): express.Handler {
  const provider = shopProvider()
  return odataV2(
    shopModel,
    {
      ...provider,
      dataVersion: () => 'v1',
      entitySets: {
        ...provider.entitySets,
        Categories: {
          read: (_query, { language }) => {
            if (language === 'de')
              throw new ODataError('Conflict', { message: 'Gesperrt.', details: { language } })
            return [{ ID: 1, Name: `Language ${String(language)}` }]
          },
        },
        Products: {
          read: (_query, { language }) => {
            if (language === 'zh-Hans') throw new Error('secret')
            return [{ ID: 1, Name: `Name in ${String(language)}`, Size: {} }]
          },
        },
      },
    },
    { languages, exports: true, openapi: true, onError: () => undefined, ...options },
  )
}

let server: TestServer
beforeAll(async () => {
  const app = express()
  app.use('/shop', localizedShop())
  app.use('/off', localizedShop({ languages: undefined }))
  app.use('/csrf', localizedShop({ csrf: true }))
  const labels = { 'Shop.Product': 'Produkt' }
  const plainLanguages: LanguageOptions = { default: 'en', texts: { de: { labels } } }
  app.use('/plain', odataV2(plainModel, memoryProvider(plainModel), { languages: plainLanguages }))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

const send = (path: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
  server.send(path, { headers })

/** The message of a JSON error, the languages that it states, and the status. */
async function errorOf(path: string, headers: Record<string, string> = {}): Promise<unknown[]> {
  const response = await send(path, { Accept: 'application/json', ...headers })
  const { message } = (JSON.parse(response.text) as { error: { message: { lang: string; value: string } } })
    .error
  return [response.status, message.lang, response.headers['content-language'], message.value]
}

describe('The language of a response', () => {
  it.each<[string, Record<string, string>, string]>([
    ['?sap-language=DE', {}, 'de'],
    ['?sap-language=de-AT', {}, 'de'],
    ['?sap-language=de_AT', {}, 'de'],
    ['?sap-language=ZH', {}, 'zh-Hans'],
    ['?sap-language=1Q', { 'Accept-Language': 'de' }, 'en'],
    ['?sap-locale=de', { 'Accept-Language': 'en' }, 'de'],
    ['?sap-language=en&sap-locale=de', {}, 'en'],
    ['?sap-language=fr&sap-locale=de', {}, 'de'],
    ['?sap-language=fr', { 'Accept-Language': 'de' }, 'de'],
    ['?sap-language=', { 'Accept-Language': 'de' }, 'de'],
    ['', { 'Accept-Language': 'de-AT,en;q=0.5' }, 'de'],
    ['', { 'Accept-Language': 'en;q=0.5, de;q=0.9' }, 'de'],
    ['', { 'Accept-Language': 'fr' }, 'en'],
    ['', { 'Accept-Language': 'de;q=2, ;;, --' }, 'en'],
    ['', { 'Accept-Language': `${'de-'.repeat(50)}x` }, 'en'],
    ['', {}, 'en'],
  ])('MUST be that of %s and %j: %s', async (query, headers, tag) => {
    const { status, headers: received, text } = await send(`/shop/$metadata${query}`, headers)
    expect([status, received['content-language']]).toEqual([200, tag])
    expect(text).toContain(`xml:lang="${tag}"`)
  })

  it('MUST be part of Vary unless the URI names it', async () => {
    expect((await send('/shop/Categories')).headers.vary).toBe('Accept, Accept-Language')
    expect((await send('/shop/$metadata')).headers.vary).toBe('Accept, Accept-Encoding, Accept-Language')
    expect((await send('/shop/$metadata?sap-language=de')).headers.vary).toBe('Accept, Accept-Encoding')
    expect((await send('/shop/Nothing')).headers.vary).toBe('Accept, Accept-Language')
    expect((await send('/shop/Nothing?sap-locale=de')).headers.vary).toBe('Accept')
  })

  it('MUST not be negotiated without the option', async () => {
    const german = { 'Accept-Language': 'de' }
    const { headers, text } = await send('/off/$metadata?sap-language=de', german)
    expect([headers['content-language'], headers.vary]).toEqual([undefined, 'Accept, Accept-Encoding'])
    expect(text).not.toContain('xml:lang')
    expect(await errorOf('/off/Nothing', german)).toEqual([404, 'en', undefined, expect.any(String)])
    expect((await send('/off/Products?$format=json', german)).text).toContain('Name in undefined')
  })
})

describe('Metadata in a language', () => {
  it('MUST have its labels, and otherwise those of the model', async () => {
    const { text } = await send('/shop/$metadata?sap-language=de')
    expect(text).toContain(
      'Name="Name" Type="Edm.String" sap:label="Bezeichnung" sap:quickinfo="Name &amp; Art"',
    )
    expect(text).toContain('<EntityType Name="Product" sap:label="Produkt">')
    expect(text).toContain('<EntitySet Name="Products" EntityType="Shop.Product" sap:label="Produkte"/>')
    expect(text).toContain('Name="Width" Type="Edm.Double" sap:label="Breite"')
    expect(text).toContain('sap:label="Number of pages"')
    const model = readEdmx(text)
    expect([...model.entityTypes.keys()]).toEqual([...shopModel.entityTypes.keys()])
  })

  it('MUST have the namespace of the labels when the model has no annotations', async () => {
    const { text } = await send('/plain/$metadata?sap-language=de')
    expect(readEdmx(text).entityTypes.get('Shop.Product')?.annotations.attributes).toMatchObject([
      { name: 'label', value: 'Produkt' },
    ])
  })

  it('MUST have validators of its own', async () => {
    const german = await send('/shop/$metadata', { 'Accept-Language': 'de' })
    const { etag, 'last-modified': modified } = german.headers
    expect(modified).toEqual(expect.any(String))
    expect((await send('/shop/$metadata')).headers.etag).not.toBe(etag)
    const again = await send('/shop/$metadata', { 'Accept-Language': 'de-CH', 'If-None-Match': String(etag) })
    expect([again.status, again.headers.vary]).toEqual([304, 'Accept, Accept-Encoding, Accept-Language'])
    expect((await send('/shop/$metadata', { 'If-None-Match': String(etag) })).status).toBe(200)
  })
})

describe('An error', () => {
  const german = { 'Accept-Language': 'de-AT,en;q=0.5' }

  it('MUST have the message of its code in the language', async () => {
    expect(await errorOf('/shop/Nothing', german)).toEqual([404, 'de', 'de', 'Nicht gefunden.'])
    expect((await send('/shop/Nothing?sap-language=de')).text).toContain(
      '<message xml:lang="de">Nicht gefunden.</message>',
    )
  })

  it('MUST be English without a translation, with Content-Language: en', async () => {
    expect(await errorOf('/shop/Products?$filter=Foo%20eq%201', german)).toEqual([
      400,
      'en',
      'en',
      expect.stringContaining('Foo'),
    ])
    const posted = await server.send('/shop/Products', {
      method: 'POST',
      body: 'x',
      headers: { ...german, 'Content-Type': 'image/png' },
    })
    expect(posted.headers['content-language']).toBe('en')
  })

  it('MUST pass the error to a message that is a function', async () => {
    const { text } = await send('/shop/Products', { ...german, Accept: 'image/png' })
    expect(text).toMatch(/xml:lang="de">Kein Format: Accept does/)
  })

  it('MUST have the language that the application states', async () => {
    expect(await errorOf('/shop/Categories', german)).toEqual([409, 'de', 'de', 'Gesperrt.'])
  })

  it('MUST not reveal the message of an internal error', async () => {
    const response = await errorOf('/shop/Products?sap-language=ZH')
    expect(response).toEqual([500, 'en', 'en', 'The service failed to process the request.'])
  })

  it('MUST have the language of a request without CSRF token', async () => {
    const { status, headers } = await server.send('/csrf/Products', { method: 'POST', headers: german })
    expect([status, headers['content-language'], headers.vary]).toEqual([
      403,
      'en',
      'Accept, Accept-Language',
    ])
  })
})

describe('The data of a service', () => {
  it('MUST be cached for each language', async () => {
    for (let round = 0; round < 3; round++) {
      for (const tag of ['de', 'en']) {
        const { text, headers } = await send('/shop/Products?$format=json', { 'Accept-Language': tag })
        expect(text).toContain(`Name in ${tag}`)
        expect(headers['content-language']).toBe(tag)
      }
    }
  })
})

describe('The call of a hook or a function', () => {
  it('MUST have the language of the request, also within a change set', async () => {
    const languagesOfCalls: (string | undefined)[] = []
    const provider: Provider = {
      ...memoryProvider(shopModel, {}),
      functions: { Cheapest: () => [], Names: (_parameters, { language }) => [String(language)] },
    }
    const service = odataV2(shopModel, provider, {
      languages,
      hooks: {
        Categories: {
          beforeInsert: (_entity, { language }) => {
            languagesOfCalls.push(language)
          },
        },
      },
    })
    const hooked = await TestServer.start(express().use('/shop', service))
    try {
      const insert = (id: number, headers?: Record<string, string>): string =>
        written('POST Categories', JSON.stringify({ ID: id }), headers)
      const body = batchBody([insert(1), insert(2, { 'Accept-Language': 'zh-Hans' })])
      const headers = { 'Content-Type': 'multipart/mixed; boundary=b', 'Accept-Language': 'de' }
      const { text } = await hooked.send('/shop/$batch', { method: 'POST', headers, body })
      expect(text.match(/201 Created/g)).toHaveLength(2)
      expect(languagesOfCalls).toEqual(['de', 'zh-Hans'])
      expect((await hooked.send('/shop/Names?sap-language=de&$format=json')).text).toContain('"de"')
    } finally {
      await hooked.stop()
    }
  })
})

describe('Other documents', () => {
  const german = { 'Accept-Language': 'de' }

  it('MUST have the labels of the language as headings of an export', async () => {
    const { text, headers } = await send('/shop/Products?$format=csv&$select=Name,Size,Price', german)
    expect(text.slice(1).split('\r\n')[0]).toBe('Bezeichnung,"Dimensions/Breite","Dimensions/Unit","Price"')
    expect(headers['content-language']).toBe('de')
  })

  it('MUST have the labels of the language in OpenAPI', async () => {
    const { text, headers, status } = await send('/shop/$openapi', german)
    expect([status, headers['content-language'], headers.vary]).toEqual([
      200,
      'de',
      'Accept, Accept-Language',
    ])
    expect(text).toContain('"title":"Bezeichnung"')
    const english = await send('/shop/$openapi?sap-language=en')
    expect([english.headers.vary, english.headers.etag === headers.etag]).toEqual(['Accept', false])
    expect(english.text).not.toContain('Bezeichnung')
    const again = await send('/shop/$openapi', { ...german, 'If-None-Match': String(headers.etag) })
    expect(again.status).toBe(304)
    expect((await send('/off/$openapi', german)).headers.vary).toBe('Accept')
  })
})

describe('A request within a batch', () => {
  it('MUST have the language of its own URI and headers, otherwise that of the batch', async () => {
    const body = batchBody(
      get('Products'),
      get('Products?sap-language=en'),
      get('Products', { 'Accept-Language': 'en' }),
      get('Products', { 'Accept-Language': 'fr' }),
      get('Nothing'),
    )
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const { status, text } = await server.send('/shop/$batch?sap-language=de', {
      method: 'POST',
      body,
      headers,
    })
    expect(status).toBe(202)
    expect(text.match(/Name in \w+|Nicht gefunden/g)).toEqual([
      'Name in de',
      'Name in en',
      'Name in en',
      'Name in de',
      'Nicht gefunden',
    ])
    expect(text.match(/Content-Language: \w+/g)).toEqual(
      ['de', 'en', 'en', 'de', 'de'].map((tag) => `Content-Language: ${tag}`),
    )
  })
})

describe('The option languages', () => {
  const start = (given: unknown) => () =>
    odataV2(shopModel, shopProvider(), { languages: given as LanguageOptions })
  const texts = (de: unknown) => start({ default: 'en', texts: { de } })

  it.each([
    [start('de'), 'languages must be an object'],
    [start({ default: 'en' }), 'languages must be an object'],
    [
      start({ default: 'english language', texts: {} }),
      "languages.default: 'english language' is not a language tag",
    ],
    [start({ texts: {} }), "languages.default: 'undefined' is not a language tag"],
    [
      start({ default: 'en', texts: { DE: {}, de: {} } }),
      "languages.texts.de: the language 'de' occurs twice",
    ],
    [texts({ label: {} }), "'languages.texts.de.label' is not an option. Did you mean 'labels'?"],
    [texts({ labels: { 'Shop.Product/Nam': 'x' } }), "Did you mean 'Shop.Product/Name'?"],
    [texts({ labels: { Foo: 'x' } }), "Use a name such as 'Shop.Product/Name'"],
    [texts({ labels: { 'Shop.Product': 1 } }), "languages.texts.de.labels['Shop.Product'] must be a string"],
    [texts({ labels: { 'Shop.Product': { labels: 'x' } } }), "Did you mean 'label'?"],
    [texts({ labels: { 'Shop.Product': { label: 1 } } }), 'must be a string'],
    [texts({ labels: 1 }), 'languages.texts.de.labels must be an object'],
    [texts({ messages: 1 }), 'languages.texts.de.messages must be an object'],
    [texts({ messages: { Conflicts: 'x' } }), "Did you mean 'Conflict'?"],
    [
      texts({ messages: { Conflict: 1 } }),
      'languages.texts.de.messages.Conflict must be a string or a function',
    ],
    [texts(1), 'languages.texts.de must be an object'],
  ])('MUST be valid when the service starts: %#', (starting, message) => {
    expect(starting).toThrow(message)
  })
})
