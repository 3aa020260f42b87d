import express from 'express'
import { codePoint, fc, runs, seed } from '../support/random.js'
import { memoryProvider, odataV2 } from '../../lib/index.js'
import { parseXml } from '../../lib/xml/parse-xml.js'
import { TestServer } from '../support/http-exchange.js'
import { descendantsNamed, textOf } from '../support/xml-tree.js'
import { exampleModel } from '../support/services/example-service.js'
import { withHandlers } from '../support/with-handlers.js'

/** Anything that a provider may hold, with a liking for what is special in mark-up. */
const unit = fc.oneof(
  fc.constantFrom(
    '<',
    '>',
    '&',
    '"',
    "'",
    ' ',
    '\t',
    '\n',
    '\r',
    '\\',
    ']]>',
    '\ud800',
    '\udc00',
    '\ufffe',
    '\u0000',
  ),
  fc.string({ unit: codePoint, minLength: 1, maxLength: 1 }),
)
const texts = [
  ...[
    '',
    ' ',
    '\n',
    ' a',
    'a ',
    '\ta',
    'a\r\n',
    'a\rb',
    '\u0085',
    '\u2028',
    '\ufeff',
    ']]>',
    '<!--',
    '&amp;',
  ],
  ...fc.sample(fc.string({ unit, maxLength: 60 }), { numRuns: runs(400), seed }),
]

/** XML 1.0 has no way to write these; JSON has. */
function legal(text: string): string {
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
}

describe('Strings of any kind', () => {
  let server: TestServer
  beforeAll(async () => {
    const Categories = texts.map((Name, ID) => ({ ID, Name }))
    const provider = withHandlers(memoryProvider(exampleModel, { Categories }), exampleModel)
    server = await TestServer.start(express().use('/n', odataV2(exampleModel, provider)))
  })
  afterAll(() => server.stop())

  it('MUST round-trip through Atom, except for characters that XML cannot represent', async () => {
    const { text } = await server.send('/n/Categories')
    const shown = descendantsNamed(parseXml(text), 'Name').map(textOf)
    expect(shown).toEqual(texts.map(legal))
  })

  it('MUST have xml:space where white space is significant', async () => {
    const { text } = await server.send('/n/Categories')
    const marked = descendantsNamed(parseXml(text), 'Name').map(({ attributes }) => attributes.length === 1)
    expect(marked).toEqual(texts.map((one) => /^[ \t\n]|[ \t\n]$/.test(legal(one))))
  })

  it('MUST round-trip through JSON', async () => {
    const { text } = await server.send('/n/Categories?$format=json')
    const { d } = JSON.parse(text) as { d: { results: { Name: string }[] } }
    expect(d.results.map(({ Name }) => Name)).toEqual(texts)
  })

  it('MUST round-trip as single values', async () => {
    for (const [id, expected] of texts.slice(0, 100).entries()) {
      const xml = await server.send(`/n/Categories(${id})/Name`)
      expect(textOf(parseXml(xml.text))).toBe(legal(expected))
      const raw = await server.send(`/n/Categories(${id})/Name/$value`)
      expect(raw.text).toBe(expected.toWellFormed())
    }
  })
})
