import { once } from 'node:events'
import { Readable } from 'node:stream'
import { parseFeed } from '@rowanmanning/feed-parser'
import FeedParser from 'feedparser'
import RssParser from 'rss-parser'
import { stores } from './support/northwind.js'
import type { ServedNorthwind } from './support/served-northwind.js'
import { serveNorthwind } from './support/served-northwind.js'

/** The Accept header of feed readers. */
const accept =
  'application/atom+xml, application/rss+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.7, */*;q=0.1'

interface SeenEntry {
  readonly id: string | undefined
  readonly title: string | undefined
  readonly updated: Date | undefined
}

describe.each(stores)('Feed readers with a catalogue in %s', (_name, openStore) => {
  let served: ServedNorthwind

  beforeAll(async () => {
    served = await serveNorthwind(openStore, { pageSize: 10 })
  })
  afterAll(() => served.close())

  const read = async (path: string): Promise<string> => {
    const response = await fetch(`${served.root}/${path}`, { headers: { accept } })
    expect(response.headers.get('content-type')).toMatch(/^application\/atom\+xml/)
    return response.text()
  }

  it('@rowanmanning/feed-parser MUST find titles, dates and summaries', async () => {
    const feed = parseFeed(await read('Employees'))
    expect([feed.title, feed.meta.type, feed.meta.version]).toEqual(['Employees', 'atom', '1.0'])
    expect(feed.self).toBe(`${served.root}/Employees`)
    expect(feed.items.length).toBeGreaterThan(5)
    for (const item of feed.items) {
      expect(item.id).toMatch(new RegExp(`^${served.root}/Employees\\(\\d+\\)$`))
      expect(item.title).toMatch(/\S+ \S+/)
      expect(item.updated).toBeInstanceOf(Date)
      expect(item.published).toBeInstanceOf(Date)
    }
    expect(feed.items.some(({ description }) => /<\w+>/.test(description ?? ''))).toBe(true)
  })

  it('feedparser MUST find them too, with links resolved against xml:base', async () => {
    const parser = new FeedParser({ feedurl: `${served.root}/Products` })
    const seen: SeenEntry[] = []
    const links: string[] = []
    parser.on('data', (item: FeedParser.Item) => {
      seen.push({ id: item.guid, title: item.title, updated: item.date ?? undefined })
      const elements: unknown = Reflect.get(item, 'atom:link')
      for (const element of [elements].flat()) {
        links.push((element as { '@': { href: string } })['@'].href)
      }
    })
    Readable.from([await read('Products')]).pipe(parser)
    await once(parser, 'end')
    expect(seen).toHaveLength(10)
    expect(seen[0]).toEqual({
      id: `${served.root}/Products(1)`,
      title: expect.stringMatching(/\S/),
      updated: expect.any(Date),
    })
    expect(links).toContain(`${served.root}/Products(1)/Category`)
    expect(links).toContain(`${served.root}/Products(1)`)
  })

  it('rss-parser MUST find them too', async () => {
    const parser = new RssParser({ headers: { accept } })
    const feed = await parser.parseURL(`${served.root}/Categories`)
    expect(feed.title).toBe('Categories')
    const drinks = feed.items.find(({ title }) => title === 'Drinks')
    expect(drinks).toMatchObject({ id: `${served.root}/Categories(1)`, title: 'Drinks' })
    expect(drinks?.summary).toMatch(/\S/)
    expect(Number.isNaN(Date.parse(drinks?.isoDate ?? ''))).toBe(false)
  })

  it('MUST follow next links to the last page', async () => {
    const titles: (string | null)[] = []
    let next: string | undefined = 'Products'
    while (next !== undefined) {
      const text: string = await read(next)
      titles.push(...parseFeed(text).items.map(({ title }) => title))
      const [, link] = /<link rel="next" href="([^"]+)"/.exec(text) ?? []
      expect(link ?? served.root).toMatch(new RegExp(`^${served.root}`))
      next = link?.slice(served.root.length + 1).replaceAll('&amp;', '&')
    }
    expect(titles.length).toBeGreaterThan(70)
    expect(titles).not.toContain(null)
  })

  it('MUST get 304 from a poll when nothing is new', async () => {
    const first = await fetch(`${served.root}/Products(1)`, { headers: { accept } })
    const headers = { accept, 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await fetch(`${served.root}/Products(1)`, { headers })).status).toBe(304)
  })
})
