import { explorerPage, pageFiles } from '../../../lib/tools/explorer/answers.js'
import { fileModel } from '../../../lib/index.js'

describe('The page before its script runs', () => {
  it('MUST have names as text, whatever they are', async () => {
    const model = {
      ...fileModel,
      entityContainers: fileModel.entityContainers.map((one) => ({ ...one, name: `"><script>'&` })),
    }
    const page = explorerPage(model, await pageFiles(), {
      prefix: '/a"b/',
      root: 'http://h/?a&"',
      hasOpenApi: true,
    })
    expect(page).toContain('<title>&#34;&#62;&#60;script&#62;&#39;&#38;</title>')
    expect(page).toContain('src="/a&#34;b/$explorer/')
    expect(page).toContain('data-root="http://h/?a&#38;&#34;" data-openapi>')
    expect(page.match(/<script/g)).toHaveLength(1)
  })

  it('MUST lead to all entity sets without its script', async () => {
    const page = explorerPage(fileModel, await pageFiles(), {
      prefix: '',
      root: 'http://h/',
      hasOpenApi: false,
    })
    expect(/<noscript>[^]*<\/noscript>/.exec(page)?.[0]).toContain('<a href="Files">Files</a>')
  })
})

describe('The files of the page', () => {
  it('MUST be small: some 60 kB together', async () => {
    const sizes = (await pageFiles()).map(({ bytes }) => bytes.length)
    // Measured: 50.2 kB and 10.4 kB.
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(62_000)
  })

  it('MUST make no mark-up of text, and no code', async () => {
    const script = (await pageFiles()).map(({ bytes }) => Buffer.from(bytes).toString()).join('\n')
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc/,
    )
  })
})
