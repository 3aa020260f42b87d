import { readFileSync } from 'node:fs'

/** A fenced block of a Markdown document. */
interface CodeBlock {
  readonly language: string
  readonly code: string
}

/** The fenced blocks of a document, in order. */
export function codeBlocks(file: string): CodeBlock[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}

/** All TypeScript of a document as one module: later blocks may use what earlier ones declared. */
export function moduleOf(file: string): string {
  const blocks = codeBlocks(file).filter(({ language }) => language === 'ts')
  const imports = new Set<string>()
  const code = blocks.map(({ code: block }) =>
    block.replace(/^import .*$/gm, (line) => {
      imports.add(line)
      return ''
    }),
  )
  return [...mergedImports(imports), ...code].join('\n')
}

/** One import of each module: blocks repeat those that they need to be read alone. */
function mergedImports(lines: ReadonlySet<string>): string[] {
  const defaults = new Map<string, string>()
  const names = new Map<string, Set<string>>()
  for (const line of lines) {
    const match = /^import (type )?(?:(\w+)|\{ (.*) \}) from '(.*)'$/.exec(line)
    if (match === null) throw new Error(`Cannot read '${line}'.`)
    const [, type, whole, members = '', module = ''] = match
    if (whole !== undefined) defaults.set(module, whole)
    const all = names.get(module) ?? new Set()
    names.set(module, all)
    for (const member of members.split(', ').filter(Boolean)) {
      all.add(type === undefined ? member : `type ${member}`)
    }
  }
  return [
    ...[...defaults].map(([module, name]) => `import ${name} from '${module}'`),
    ...[...names].map(([module, members]) => `import { ${[...members].join(', ')} } from '${module}'`),
  ]
}

/** A call of curl as it stands in a document. */
interface CurlCall {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

export function curlCalls(file: string): CurlCall[] {
  return codeBlocks(file)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n').filter((line) => line.startsWith('curl ')))
    .map(curlCall)
}

function curlCall(line: string): CurlCall {
  const words = [...line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double?.replace(/\\(.)/g, '$1') ?? bare ?? '',
  )
  const headers: Record<string, string> = {}
  for (const [index, word] of words.entries()) {
    const [name = '', value = ''] = word === '-H' ? (words[index + 1] ?? '').split(': ') : []
    if (word === '-H') headers[name] = value
  }
  return { url: new URL(words.at(-1) ?? ''), headers }
}
