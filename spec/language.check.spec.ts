import { readdirSync } from 'node:fs'
import { filesBelow, readText } from './support/lib-sources.js'
import {
  avoidedIn,
  findingsInComments,
  findingsInMessages,
  findingsInTitles,
  proseOf,
} from './support/plain-language.js'

/**
 * Avoided phrases by folder: comments and docstrings of `lib`, comments and titles of `spec`. The numbers may only
 * fall. Lower them when you reword a comment.
 */
const ratchet: Readonly<Record<string, number>> = {
  spec: 0,
  'spec/batch': 0,
  'spec/clients': 0,
  'spec/contracts': 0,
  'spec/csdl': 0,
  'spec/data': 0,
  'spec/databases': 0,
  'spec/diagnostics': 0,
  'spec/edm': 0,
  'spec/errors': 0,
  'spec/evaluation': 0,
  'spec/formats': 0,
  'spec/fuzz': 0,
  'spec/http': 0,
  'spec/mounting': 0,
  'spec/mutation': 0,
  'spec/package': 0,
  'spec/provider': 0,
  'spec/providers': 0,
  'spec/query': 0,
  'spec/resources': 0,
  'spec/sample-app': 0,
  'spec/soak': 0,
  'spec/support': 0,
  'spec/tools': 0,
  'spec/types': 0,
  'spec/uri': 0,
  'spec/wire': 0,
}

const folderOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/')

describe('The language', () => {
  const documents = readdirSync('.').filter((name) => name.endsWith('.md'))
  const guides = filesBelow('docs', '.md').filter((file) => !file.startsWith('docs/reference/'))

  it.each([...documents, ...guides])('MUST be plain in %s', (file) => {
    expect(avoidedIn(proseOf(readText(file)))).toEqual([])
  })

  it('MUST be plain in the messages of lib', () => {
    expect(filesBelow('lib', '.ts').flatMap(findingsInMessages)).toEqual([])
  })

  it('MUST be plain in comments and docstrings', () => {
    const files = ['lib', 'spec'].flatMap((folder) => filesBelow(folder, '.ts'))
    expect(files.flatMap(findingsInComments)).toEqual([])
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
