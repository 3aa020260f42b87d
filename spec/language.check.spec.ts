import { readdirSync } from 'node:fs'
import { filesBelow, readText } from './support/lib-sources.js'
import {
  avoidedIn,
  findingsInComments,
  findingsInMessages,
  findingsInSummaries,
  findingsInTitles,
  proseOf,
} from './support/plain-language.js'

describe('The language', () => {
  const documents = readdirSync('.').filter((name) => name.endsWith('.md'))
  const guides = filesBelow('docs', '.md').filter((file) => !file.startsWith('docs/reference/'))

  it.each([...documents, ...guides])('MUST be plain in %s', (file) => {
    expect(avoidedIn(proseOf(readText(file)))).toEqual([])
  })

  // The programs of benchmarks are not covered.
  const programs = ['spec', 'scripts', 'sample-app', 'site/.vitepress']
    .flatMap((folder) => filesBelow(folder, '.mjs'))
    .filter((file) => !file.startsWith('spec/bench/'))
    .concat('build.mjs')

  it('MUST be plain in the messages of lib and of programs', () => {
    expect([...filesBelow('lib', '.ts'), ...programs].flatMap(findingsInMessages)).toEqual([])
  })

  it('MUST be plain in comments and docstrings', () => {
    const files = ['lib', 'spec', 'sample-app'].flatMap((folder) => filesBelow(folder, '.ts'))
    expect([...files, ...programs].flatMap(findingsInComments)).toEqual([])
  })

  it('MUST summarize functions of lib by a verb at the start of their docstrings', () => {
    expect(filesBelow('lib', '.ts').flatMap(findingsInSummaries)).toEqual([])
  })

  it('MUST be plain in the titles of tests', () => {
    expect(filesBelow('spec', '.ts').flatMap(findingsInTitles)).toEqual([])
  })
})

describe('The search for avoided phrases', () => {
  it('MUST find them in prose, but not in code', () => {
    expect(avoidedIn(proseOf('It is answered with 404.\n\n```ts\n// kept\n```\n`kept`'))).toEqual([
      "'It is answered with 404. ' (write: response, respond with)",
    ])
  })

  it("MUST allow 'there is no' and 'no longer'", () => {
    expect(avoidedIn('There is no entity with this key. It is no longer valid.')).toEqual([])
  })
})
