import { defineModel, edm, germanMessages, ODataError, odataV2 } from 'express-odata-v2'
import { OpenUI5, startTime } from './support/openui5.js'

/** A service in English and German, in a page of OpenUI5. */

const model = defineModel({
  namespace: 'Sales',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false, sap: { label: 'Number' } }),
        Status: edm.String({ sap: { label: 'Status', text: 'StatusName' } }),
        StatusName: edm.String({ sap: { label: 'Description of the status' } }),
      },
    },
  },
  entityContainer: {
    name: 'Shop',
    entitySets: { Orders: { entityType: 'Order' } },
    functionImports: {
      Ship: {
        returnType: 'Order',
        entitySet: 'Orders',
        httpMethod: 'POST',
        parameters: { ID: { type: 'Edm.Int32', nullable: false } },
      },
    },
  },
})

const statusNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { A: 'Open', B: 'Shipped' },
  de: { A: 'Offen', B: 'Versandt' },
}
const orders = [
  { ID: 1, Status: 'A' },
  { ID: 2, Status: 'B' },
]

/** The languages in which orders were read: a page that is served from the cache reads nothing. */
const read: string[] = []
const readOrders = (language: string): { ID: number; StatusName: string | null }[] => {
  read.push(language)
  return orders.map((order) => ({ ...order, StatusName: statusNames[language]?.[order.Status] ?? null }))
}

/** A message of the application, in the language of the user. */
const alreadyShipped: Readonly<Record<string, string>> = {
  en: 'The order has been shipped.',
  de: 'Der Auftrag ist schon versandt.',
}

const service = odataV2(
  model,
  {
    entitySets: { Orders: { read: (_query, { language = '' }) => readOrders(language) } },
    dataVersion: () => 1,
    functions: {
      Ship: (_parameters, _context, { language = '' }) => {
        const message = alreadyShipped[language]
        throw new ODataError('Conflict', {
          ...(message === undefined ? {} : { message }),
          details: { language },
        })
      },
    },
  },
  {
    languages: {
      default: 'en',
      texts: {
        de: {
          labels: {
            'Sales.Order/ID': 'Nummer',
            'Sales.Order/Status': 'Stand',
            'Sales.Order/StatusName': 'Bezeichnung des Standes',
          },
          messages: germanMessages,
        },
      },
    },
  },
)

interface Shown {
  readonly headings: readonly string[]
  readonly cells: readonly string[]
  readonly messages: readonly string[]
}

const english: Shown = {
  headings: ['Number', 'Status'],
  cells: ['1', 'Open', '2', 'Shipped'],
  messages: ['There is no entity with this key.', 'The order has been shipped.'],
}
const german: Shown = {
  headings: ['Nummer', 'Stand'],
  cells: ['1', 'Offen', '2', 'Versandt'],
  messages: ['Es gibt keine Entität mit diesem Schlüssel.', 'Der Auftrag ist schon versandt.'],
}

describe.each([
  ['with $batch', true],
  ['without $batch', false],
])('A page of OpenUI5 %s', (_how, useBatch) => {
  let ui5: OpenUI5
  let root: string

  beforeAll(async () => {
    ui5 = await OpenUI5.start()
    root = ui5.mount('languages', service)
    read.length = 0
  }, startTime)
  afterAll(() => ui5.close())

  /**
   * Shows the orders in a table whose headings are the labels of the metadata, and makes two requests that fail.
   *
   * @param parameters those of the service's URL, which OpenUI5 adds to each request
   */
  async function show(parameters: string): Promise<Shown> {
    ui5.takeRequests()
    const shown = await ui5.run(
      async (
        { call, Column, ColumnListItem, messages, Messaging, open, read, refusal, show, Table, Text, until },
        { url, useBatch, metadataUrlParams },
      ) => {
        const model = await open(url, { useBatch, metadataUrlParams })
        const column = (name: string): InstanceType<typeof Column> =>
          new Column({ header: new Text({ text: `{/#Order/${name}/@sap:label}` }) })
        const table = new Table({ columns: [column('ID'), column('Status')] })
        table.setModel(model)
        table.bindItems({
          path: '/Orders',
          template: new ColumnListItem({
            cells: [new Text({ text: '{ID}' }), new Text({ text: '{StatusName}' })],
          }),
        })
        show(table)
        const textsOf = (selector: string): string[] =>
          [...document.querySelectorAll<HTMLElement>(`#content ${selector}`)].map(
            ({ innerText }) => innerText,
          )
        await until(() => textsOf('tbody .sapMText').length === 4, 'orders')
        const failing: readonly (() => Promise<unknown>)[] = [
          () => read(model, '/Orders(9)'),
          // Orders that are read anew would replace the message.
          () =>
            call(model, '/Ship', { method: 'POST', urlParameters: { ID: '2' }, refreshAfterChange: false }),
        ]
        const reported: string[] = []
        for (const send of failing) {
          Messaging.removeAllMessages()
          await refusal(send())
          await until(() => messages().length > 0, 'a message')
          reported.push(...messages().map(({ text }) => text))
        }
        return {
          headings: textsOf('th .sapMText'),
          cells: textsOf('tbody .sapMText'),
          messages: reported,
        }
      },
      {
        url: `${root}${parameters}`,
        useBatch,
        metadataUrlParams: Object.fromEntries(new URLSearchParams(parameters)),
      },
    )
    expect(ui5.takeErrors()).toEqual([])
    return shown
  }

  /** The values of `Accept-Language` of the requests since the last call. */
  const acceptedLanguages = (): ReadonlySet<string | undefined> =>
    new Set(ui5.takeRequests().map(({ headers }) => headers['accept-language']))

  it('MUST be in English if nothing names another language', async () => {
    expect(await show('')).toEqual(english)
    expect(acceptedLanguages()).toEqual(new Set(['en']))
  })

  it('MUST be in German with sap-language=de, regardless of Accept-Language', async () => {
    expect(await show('?sap-language=DE')).toEqual(german)
    expect(acceptedLanguages()).toEqual(new Set(['en']))
  })

  it('MUST be in German with Accept-Language: de, without sap-language', async () => {
    await ui5.load('de')
    expect(await show('')).toEqual(german)
    const requests = ui5.takeRequests()
    expect(new Set(requests.map(({ headers }) => headers['accept-language']))).toEqual(new Set(['de']))
    expect(requests.filter(({ path, body }) => `${path}${body}`.includes('sap-language'))).toEqual([])
  })

  it('MUST be in English again after German', async () => {
    await ui5.load('en')
    expect(await show('')).toEqual(english)
  })

  it('MUST get pages from the cache of the service that are in its language', async () => {
    read.length = 0
    const shown = await ui5.run(
      async ({ Localization, open, read }, { root, useBatch }) => {
        const names: string[][] = []
        for (const language of ['en', 'de', 'en', 'de', 'en', 'de']) {
          Localization.setLanguage(language)
          const { data } = await read(await open(root, { useBatch }), '/Orders')
          names.push(data.results.map(({ StatusName }) => String(StatusName)))
        }
        return names
      },
      { root, useBatch },
    )
    const [inEnglish, inGerman] = [Object.values(statusNames.en ?? {}), Object.values(statusNames.de ?? {})]
    expect(shown).toEqual([inEnglish, inGerman, inEnglish, inGerman, inEnglish, inGerman])
    // Pages are cached when they are requested for the second time.
    expect(read).toEqual(['en', 'de', 'en', 'de'])
  })
})
