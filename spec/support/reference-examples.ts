import { resolve } from 'node:path'
import ts from 'typescript'
import { forEachNode, parse, placeOf, readText } from './lib-sources.js'

/** An example of a docstring. */
interface Example {
  /** The line of the docstring: `lib/options.ts:12`. */
  readonly place: string
  readonly file: string
  readonly code: string
}

/** Returns the examples of all docstrings of a file, those of members included. */
export function examplesOf(file: string): Example[] {
  const examples: Example[] = []
  forEachNode(parse(file).syntax, (node) => {
    for (const comment of ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)) {
      for (const { tagName, comment: code } of comment.tags ?? []) {
        // A variable has the docstring of its statement.
        if (tagName.text !== 'example' || comment.parent !== node) continue
        examples.push({ place: placeOf(comment), file, code: ts.getTextOfJSDocComment(code) ?? '' })
      }
    }
  })
  return examples
}

/** An export as the reference describes it. */
interface DescribedExport {
  readonly name: string
  /** The first paragraph below its declaration; undefined if it is missing. */
  readonly summary: string | undefined
  readonly hasExample: boolean
  readonly members: readonly { readonly code: string; readonly text: string }[]
}

export function exportsOf(page: string): DescribedExport[] {
  return readText(page)
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [, name = ''] = /^(\w+)/.exec(section) ?? []
      const [, summary] = /^```ts\n.*?^```\n\n(?!Members:|Example:)(\S.*?)\n\n/ms.exec(section) ?? []
      const [, members = ''] = /^Members:\n\n(.*?)(?=^Example:|^## |$(?![^]))/ms.exec(section) ?? []
      return { name, summary, hasExample: /^Example:$/m.test(section), members: membersOf(members) }
    })
}

function membersOf(list: string): DescribedExport['members'] {
  return list
    .split(/^- (?=`)/m)
    .slice(1)
    .map((item) => {
      const [, , code = '', text = ''] = /^(`+) ?(.*?) ?\1(?!`)(.*)/s.exec(item) ?? []
      return { code, text: text.replace(/^: /, '').trim() }
    })
}

/** Declarations that examples leave out, by name: an application already has them. */
const surroundings: Readonly<Record<string, string>> = {
  s3: `declare const s3: import('express-odata-v2').ObjectStorageClient`,
  express: `import express from 'express'`,
  http: `import http from 'node:http'`,
  readFile: `import { readFile } from 'node:fs/promises'`,
  writeFile: `import { writeFile } from 'node:fs/promises'`,
  Database: `import Database from 'better-sqlite3'`,
  Kysely: `import { Kysely } from 'kysely'`,
  SqliteDialect: `import { SqliteDialect } from 'kysely'`,
  PostgresDialect: `import { PostgresDialect } from 'kysely'`,
  pg: `import pg from 'pg'`,
  xml: 'declare const xml: string',
  released: 'declare const released: string',
  db: `declare const db: import('kysely').Kysely<unknown>`,
  app: `declare const app: import('express').Express`,
  call: `declare const call: import('express-odata-v2').ProviderCall`,
  database: `declare const database: import('better-sqlite3').Database`,
  server: `declare const server: import('node:http').Server`,
  provider: `declare const provider: import('express-odata-v2').Provider`,
  model: `declare const model: import('express-odata-v2').EdmModel`,
  products: `declare const products: import('express-odata-v2').Row[]`,
  // Of examples of internal functions.
  batchBoundary: `import { batchBoundary } from '../../lib/batch/multipart-type.js'`,
  boundary: 'declare const boundary: string',
  headers: 'declare const headers: Readonly<Record<string, string>>',
  limits: `declare const limits: import('express-odata-v2').Limits`,
  orders: `declare const orders: import('express-odata-v2').EntitySet`,
  property: `declare const property: import('express-odata-v2').Property`,
  request: `declare const request: import('../../lib/http/odata-request.js').ODataRequest`,
  responses: `declare const responses: import('../../lib/batch/serialize-batch.js').ResponseSource`,
  rows: 'declare const rows: unknown[]',
  service: `declare const service: { readonly root: string; readonly path: string }`,
  settings: `declare const settings: import('../../lib/options.js').Settings`,
  words: 'declare const words: string[]',
  work: 'declare const work: (row: unknown) => void',
}

/**
 * Returns the errors of the compiler in examples.
 *
 * @param entries the exports of each entry point, by its name
 */
export function errorsOf(
  examples: readonly Example[],
  entries: ReadonlyMap<string, readonly string[]>,
): string[] {
  const sources = new Map(
    examples.map((example, index) => [
      resolve(`spec/support/example-${index}.ts`),
      { ...example, text: moduleOf(example, entries) },
    ]),
  )
  const program = ts.createProgram([...sources.keys()], compilerOptions(), hostOf(sources))
  return [...sources].flatMap(([path, { place }]) => {
    const file = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  })
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as {
    readonly config: object
  }
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, resolve('.'))
  // Examples may end with a value that they do not use.
  return { ...options, noUnusedLocals: false, noUnusedParameters: false, verbatimModuleSyntax: false }
}

function hostOf(sources: ReadonlyMap<string, { readonly text: string }>): ts.CompilerHost {
  const host = ts.createCompilerHost(compilerOptions())
  return {
    ...host,
    fileExists: (path) => sources.has(path) || host.fileExists(path),
    getSourceFile: (path, version, ...rest) => {
      const text = sources.get(path)?.text
      return text === undefined
        ? host.getSourceFile(path, version, ...rest)
        : ts.createSourceFile(path, text, version, true)
    },
  }
}

/** Returns an example with the imports and declarations that it needs in front. */
function moduleOf({ code, file }: Example, entries: ReadonlyMap<string, readonly string[]>): string {
  const isUsed = (name: string): boolean =>
    new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`\\b(?:const|type|class) ${name}\\b`).test(code)
  const taken = new Set<string>()
  const lines: string[] = []
  const take = (name: string, line: string): void => {
    if (taken.has(name) || !isUsed(name)) return
    taken.add(name)
    lines.push(line)
  }
  for (const [entry, names] of entries) {
    for (const name of names) take(name, `import { ${name} } from '${entry}'`)
  }
  for (const name of exportedNames(file)) {
    take(name, `import { ${name} } from '../../${file.replace(/\.ts$/, '.js')}'`)
  }
  for (const [name, line] of Object.entries(surroundings)) take(name, line)
  return [...lines, code, 'export {}'].join('\n')
}

function exportedNames(file: string): string[] {
  return [
    ...readText(file).matchAll(/^export (?:async )?(?:function|class|interface|type|const) (\w+)/gm),
  ].map(([, name = '']) => name)
}
