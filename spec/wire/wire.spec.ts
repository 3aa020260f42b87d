import type { AccessRights, Operation } from '../../lib/index.js'
import { goldenFiles, goldenNames, keep, transcript, varyOf, isSafeInBrowsers } from '../support/golden-file.js'
import type { LanguageTexts } from '../../lib/index.js'
import { annotate, dataField, germanMessages, path, valueList } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import type { Services } from '../support/hosts.js'
import { hosts } from '../support/hosts.js'
import { customizedServiceIn } from '../support/services/customized-service.js'
import { delicatessenIn, restrictClerk } from '../support/services/delicatessen.js'
import { exampleModel, exampleServiceIn } from '../support/services/example-service.js'
import { salesModel, salesOptions, salesProviders } from '../support/services/sales-service.js'
import { checkWellFormed } from '../support/well-formed.js'

/** Rewrites the expected files with the actual responses. */
const update = process.env.UPDATE_WIRE === '1'

const german: LanguageTexts = {
  labels: { 'NW.Product/Name': { label: 'Bezeichnung', quickinfo: 'Name & Art' } },
  messages: germanMessages,
}

const annotations = annotate(exampleModel, {
  'NW.Category': {
    'UI.HeaderInfo': {
      TypeName: { en: 'Category', de: 'Kategorie <"&\'>' },
      TypeNamePlural: { en: 'Categories' },
      Title: { Value: path('Name') },
    },
    'UI.LineItem': [dataField('Name', { '@UI.Importance': 'High' }), dataField('Note', { Label: 'A\nB' })],
    'UI.SelectionFields': ['Name'],
  },
  'NW.Category/Note': {
    'Common.Label': { en: 'Remark', de: 'Notiz' },
    'Common.ValueList#Names': valueList('Products', { out: { Note: 'Name' } }),
  },
})
const annotated = { annotations, languages: { default: 'en', texts: { de: {} } } } as const

/** The first segment of a target selects the service. */
const services: Services = {
  n: exampleServiceIn,
  writable: (mount) => exampleServiceIn(mount, { readOnly: false }),
  paged: (mount) =>
    exampleServiceIn(mount, { pageSize: { Categories: 2, Products: 2, Lines: 1, Parties: 2, Photos: 1 } }),
  translated: (mount) =>
    exampleServiceIn(mount, { languages: { default: 'en', texts: { de: german } } }),
  exporting: (mount) => exampleServiceIn(mount, { exports: true }),
  annotated: (mount) =>
    exampleServiceIn(mount, { ...annotated, annotations: { source: annotations, place: 'document' } }),
  inMetadata: (mount) => exampleServiceIn(mount, annotated),
  blog: customizedServiceIn,
  sales: (mount) => mount(salesModel, salesProviders.memory(), salesOptions),
  exportedSales: (mount) => mount(salesModel, salesProviders.memory(), { ...salesOptions, exports: true }),
  restrictedSales: (mount) =>
    mount(salesModel, salesProviders.memory(), { ...salesOptions, authorize: hideCustomers }),
  clerk: (mount) => exampleServiceIn(mount, { authorize: hidePrices }),
  deli: delicatessenIn,
  pagedDeli: (mount) => delicatessenIn(mount, { pageSize: { Products: 2 } }),
  restrictedDeli: (mount) => delicatessenIn(mount, { authorize: restrictClerk }),
  ignoringCase: (mount) => delicatessenIn(mount, { caseInsensitive: true }),
  ignoringAllCase: (mount) => delicatessenIn(mount, { caseInsensitive: 'all' }),
  csvForGermany: (mount) =>
    delicatessenIn(mount, { exports: { formats: ['csv'], formulas: 'keep', separator: ';' } }),
  smallExports: (mount) => delicatessenIn(mount, { limits: { exportRows: 4, searchTerms: 2, searchLength: 12 } }),
}

function hidePrices({ entitySet }: Operation): AccessRights | undefined {
  return entitySet === 'Products' ? { hidden: ['Price', 'Dims/Unit'] } : undefined
}

function hideCustomers({ entitySet }: Operation): AccessRights | undefined {
  return entitySet === 'Sales' ? { hidden: ['Customer', 'Currency', 'Quantity'] } : undefined
}

describe.each(hosts)('The responses %s', (_name, host) => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start(host(services))
  })
  afterAll(() => server.stop())

  const files = goldenFiles(__dirname)

  it.each(files.map((file) => [file.name, file] as const))('MUST be exactly as recorded in %s', async (name, file) => {
    const { method, target, headers, expected } = file
    const response = await server.send(target, { method, headers })
    expect(response.headers.vary).toBe(varyOf(response, target))
    expect(isSafeInBrowsers(response)).toBe(true)
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    const actual = transcript(response, server.host, target)
    checkWellFormed(response)
    if (!update) expect(actual).toBe(expected)
    else if (actual !== expected) keep(__dirname, name, actual)
  })

  it('MUST have a request for every expected response', () => {
    expect(goldenNames(__dirname, 'expected')).toEqual(goldenNames(__dirname, 'http'))
  })

  it('MUST give all elements of one response the same time', async () => {
    const { text } = await server.send('/n/Categories?$expand=Products')
    const times = new Set(text.match(/(?<=<updated>)[^<]+/g))
    expect(times.size).toBe(1)
  })
})
