import { readFileSync, readdirSync } from 'node:fs'
import { exists, filesBelow, readText } from './support/lib-sources.js'

interface SidebarGroup {
  readonly text: string
  readonly items: readonly { readonly text: string; readonly link: string }[]
}

const sidebar = JSON.parse(readFileSync('site/.vitepress/sidebar.json', 'utf8')) as readonly SidebarGroup[]
const items = sidebar.flatMap((group) => group.items)

/** Returns the Markdown file of a page. */
function fileOf(link: string): string {
  if (link === '/') return 'README.md'
  if (link === '/docs/') return 'docs/README.md'
  return link.endsWith('/') ? `${link.slice(1)}index.md` : `${link.slice(1)}.md`
}

const titleOf = (file: string): string => /^# (.*)$/m.exec(readText(file))?.[1] ?? ''

describe('The sidebar of the documentation site', () => {
  const files = items.map(({ link }) => fileOf(link))

  it('MUST have every guide, every page of the reference, and the documents of the project', () => {
    const documents = readdirSync('.').filter((name) => name.endsWith('.md'))
    expect(filesBelow('docs', '.md').length).toBeGreaterThan(30)
    expect([...documents, ...filesBelow('docs', '.md')].filter((file) => !files.includes(file))).toEqual([])
  })

  it('MUST lead to files that exist, to each once', () => {
    expect(files.filter((file) => !exists(file))).toEqual([])
    expect(files).toEqual([...new Set(files)])
  })

  it('MUST have guides in the order of their links to the next one', () => {
    const guides = files.filter((file) => /^docs\/[a-z][\w-]+\.md$/.test(file))
    const nextOf = (file: string): string | undefined =>
      /^Next: \[[^\]]+\]\(([\w-]+\.md)\)/m.exec(readText(file))?.[1]
    const order = guides.map((file) => [file, nextOf(file)])
    const expected = guides.map((file, index) => [file, guides[index + 1]?.replace('docs/', '')])
    expect(order).toEqual(expected)
  })

  it('MUST name guides by their titles', () => {
    const guides = items.filter(({ link }) => /^\/docs\/[a-z][\w-]+$/.test(link))
    const differing = guides.filter(({ text, link }) => !titleOf(fileOf(link)).startsWith(text))
    expect(differing).toEqual([])
  })
})
