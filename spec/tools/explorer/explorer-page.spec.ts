import { explorerPage, pageFiles } from '../../../lib/tools/explorer/explorer-responses.js'
import { fileModel } from '../../../lib/index.js'

describe('The HTML of the page', () => {
  it('MUST escape names', async () => {
    const page = explorerPage(fileModel, await pageFiles(), {
      prefix: '/a"b/',
      root: 'http://h/?a&"',
      title: `"><script>'&`,
      hasOpenApi: true,
      canExplain: true,
    })
    expect(page).toContain('<title>&#34;&#62;&#60;script&#62;&#39;&#38;</title>')
    expect(page).toContain('src="/a&#34;b/$explorer/')
    expect(page).toContain('data-root="http://h/?a&#38;&#34;" data-openapi data-explain>')
    expect(page.match(/<script/g)).toHaveLength(1)
  })

  it('MUST link to all entity sets without JavaScript', async () => {
    const page = explorerPage(fileModel, await pageFiles(), {
      prefix: '',
      root: 'http://h/',
      title: 'Files',
      hasOpenApi: false,
      canExplain: false,
    })
    expect(/<noscript>[^]*<\/noscript>/.exec(page)?.[0]).toContain('<a href="Files">Files</a>')
  })
})

describe('The files of the page', () => {
  it('MUST be smaller than 150 kB in total', async () => {
    const sizes = (await pageFiles()).map(({ bytes }) => bytes.length)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(150_000)
  })

  it('MUST use no API that parses HTML or evaluates code', async () => {
    const script = (await pageFiles()).map(({ bytes }) => Buffer.from(bytes).toString()).join('\n')
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc/,
    )
  })
})
