import { parseXml } from '../../lib/xml/parse-xml.js'
import type { XmlElement } from '../../lib/xml/xml-element.js'
import type { TestServer } from './http-exchange.js'
import { childrenNamed, textOf } from './xml-tree.js'

/** One page as a client sees it. */
interface Page {
  /** Absolute addresses of the entities, in order. */
  readonly uris: readonly string[]
  readonly count: string | undefined
  readonly next: string | undefined
}

export type PageFormat = 'json' | 'atom'

/** Reads one page, of a feed or of links. */
export async function readPage(server: TestServer, target: string, format: PageFormat): Promise<Page> {
  const Accept = format === 'json' ? 'application/json' : 'application/atom+xml,application/xml;q=0.5'
  const { status, text } = await server.send(target, { headers: { Accept } })
  if (status !== 200) throw new Error(`${target}: ${status} ${text}`)
  return format === 'json' ? jsonPage(text) : atomPage(parseXml(text))
}

/** Follows next links to the end, as a client does: it knows nothing of what is in them. */
export async function walkPages(server: TestServer, start: string, format: PageFormat): Promise<Page[]> {
  const pages: Page[] = []
  let target: string | undefined = start
  while (target !== undefined) {
    const page = await readPage(server, target, format)
    pages.push(page)
    if (pages.length > 500) throw new Error(`${start}: there is no end to it`)
    target = page.next === undefined ? undefined : targetOf(page.next, server)
  }
  return pages
}

/** The request target of a link, which must lead to the server that gave it. */
export function targetOf(link: string, server: TestServer): string {
  const origin = `http://${server.host}`
  if (!link.startsWith(`${origin}/`)) throw new Error(`${link} leads elsewhere`)
  return link.slice(origin.length)
}

export function urisOf(pages: readonly Page[]): string[] {
  return pages.flatMap(({ uris }) => uris)
}

interface JsonFeed {
  readonly results: readonly { readonly uri?: string; readonly __metadata?: { readonly uri: string } }[]
  readonly __count?: string
  readonly __next?: string
}

function jsonPage(text: string): Page {
  const { d } = JSON.parse(text) as { d: JsonFeed }
  return {
    uris: d.results.map((one) => one.__metadata?.uri ?? one.uri ?? ''),
    count: d.__count,
    next: d.__next,
  }
}

function atomPage(root: XmlElement): Page {
  const strings = (parent: XmlElement, name: string): string[] => childrenNamed(parent, name).map(textOf)
  const next = childrenNamed(root, 'link').find((link) => attribute(link, 'rel') === 'next')
  return {
    uris:
      root.name === 'links'
        ? strings(root, 'uri')
        : childrenNamed(root, 'entry').flatMap((entry) => strings(entry, 'id')),
    count: strings(root, 'count')[0],
    next: next === undefined ? strings(root, 'next')[0] : attribute(next, 'href'),
  }
}

function attribute({ attributes }: XmlElement, name: string): string | undefined {
  return attributes.find((one) => one.name === name)?.value
}
