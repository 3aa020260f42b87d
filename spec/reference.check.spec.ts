import { spawnSync } from 'node:child_process'
import { filesBelow, readText } from './support/lib-sources.js'
import { errorsOf, examplesOf, exportsOf } from './support/reference-examples.js'

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
  it("MUST be generated from the current docstrings by 'npm run docs'", () => {
    const words = ['scripts/make-reference.mjs', '--check']
    const { stderr, status } = spawnSync('node', words, { encoding: 'utf8' })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  })

  it('MUST have examples that the compiler understands', () => {
    const examples = filesBelow('lib', '.ts').flatMap(examplesOf)
    expect(examples.length).toBeGreaterThan(200)
    const wrong = {
      place: 'wrong',
      file: 'lib/node.ts',
      code: `const limits: Partial<Limits> = { url: 'x' }`,
    }
    expect(errorsOf([...examples, wrong], entries)).toEqual([
      "wrong: Type 'string' is not assignable to type 'number'.",
    ])
  })
})

describe('The docstrings of exports', () => {
  const described = pages.flatMap(exportsOf)

  it('MUST begin with a summary of at most 200 characters', () => {
    const isSummary = (text = ''): boolean =>
      /^[A-Z`][^]*?[.:](?: |$)/.test(text) && firstSentence(text).length <= 200
    expect(described.length).toBeGreaterThan(190)
    expect(described.filter(({ summary }) => !isSummary(summary)).map(({ name }) => name)).toEqual([])
  })

  it('MUST have an example', () => {
    expect(described.filter(({ hasExample }) => !hasExample).map(({ name }) => name)).toEqual([])
  })

  it('MUST describe every option, with its default', () => {
    const options = described
      .filter(({ name }) => /(?:Options|Info|Mapping)$|^Limits$/.test(name))
      .flatMap(({ name, members }) => members.map((member) => ({ ...member, name })))
    const isDescribed = ({ name, code, text }: (typeof options)[number]): boolean =>
      text !== '' && (text.includes('Default:') || !(name === 'Limits' || /^\w+\?/.test(code)))
    expect(options.length).toBeGreaterThan(100)
    expect(
      options.filter((option) => !isDescribed(option)).map(({ name, code }) => `${name}.${code}`),
    ).toEqual([])
  })

  it('MUST describe members of other exports', () => {
    // Elements of CSDL are described by the specification, and the types of OpenTelemetry by that project.
    const isKnown =
      /^(?:EdmModel|Schema|Using|.*Type|.*Property|Association.*|Entity(?:Container|Set)|Function(?:Import|Parameter)|ReferentialConstraint|Tracing.*)$/
    // Discriminators, types by name, constructors, names of errors, call and index signatures.
    const isObvious = /^(?:kind: |'Edm\.|constructor\(|name$|\(|\[)/
    const undescribed = described
      .filter(({ name }) => !isKnown.test(name))
      .flatMap(({ name, members }) => members.map((member) => ({ ...member, name })))
      .filter(({ code, text }) => text === '' && !isObvious.test(code))
    expect(undescribed.map(({ name, code }) => `${name}.${code}`)).toEqual([])
  })

  it('MUST name the unit of options that are numbers', () => {
    const unit =
      /\b(?:milliseconds|seconds|bytes|characters|rows|entities|groups|parts|requests|levels|segments|words|depth|number of|seed|value of)\b/i
    const numbers = described
      .filter(({ name }) => /Options$|^Limits$/.test(name))
      .flatMap(({ name, members }) => members.map((member) => ({ ...member, name })))
      .filter(({ code }) => /^\w+\??: number\b/.test(code))
    expect(numbers.length).toBeGreaterThan(20)
    expect(numbers.filter(({ text }) => !unit.test(text)).map(({ name, code }) => `${name}.${code}`)).toEqual(
      [],
    )
  })
})

function firstSentence(text: string): string {
  return text.split(/(?<=\.) /)[0] ?? ''
}
