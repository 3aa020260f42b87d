import { spawnSync } from 'node:child_process'
import { filesBelow, readText } from './support/lib-sources.js'
import { examplesOf, errorsOf } from './support/reference-examples.js'

const pages = filesBelow('docs/reference', '.md').filter((page) => !page.endsWith('/README.md'))

/** The entry points, each with the names on its page. */
const entries = new Map(
  pages.map((page) => {
    const text = readText(page)
    const entry = /^# (.*)$/m.exec(text)?.[1] ?? ''
    return [entry, [...text.matchAll(/^### (\w+)/gm)].map(([, name = '']) => name)]
  }),
)

describe('The reference', () => {
  it("MUST be what the comments say: 'npm run docs' writes it anew", () => {
    const words = ['scripts/make-reference.mjs', '--check']
    const { stderr, status } = spawnSync('node', words, { encoding: 'utf8' })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  })

  it('MUST have examples that the compiler understands', () => {
    const examples = pages.flatMap(examplesOf)
    expect(examples.length).toBeGreaterThan(20)
    expect(errorsOf(examples, entries)).toEqual([])
  })
})
