import { resolve } from 'node:path'
import ts from 'typescript'
import { readText } from './lib-sources.js'

/** The example of one export, as the reference shows it. */
export interface Example {
  /** The page, and the heading that it stands below. */
  readonly place: string
  readonly code: string
}

export function examplesOf(page: string): Example[] {
  return readText(page)
    .split(/^### /m)
    .flatMap((section) => {
      const [, code] = /^Example:\n\n```ts\n(.*?)^```$/ms.exec(section) ?? []
      return code === undefined ? [] : [{ place: `${page}: ${section.split('\n')[0]}`, code }]
    })
}

/** Declarations that examples leave out, by name: an application already has them. */
const surroundings: Readonly<Record<string, string>> = {
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
  provider: `declare const provider: import('express-odata-v2').Provider`,
  model: `declare const model: import('express-odata-v2').EdmModel`,
  products: `declare const products: import('express-odata-v2').Row[]`,
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
      { ...example, text: moduleOf(example.code, entries) },
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
  // Examples say what is there: what they do with it is left to the reader.
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

/** An example with what it takes for granted in front. */
function moduleOf(code: string, entries: ReadonlyMap<string, readonly string[]>): string {
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
  for (const [name, line] of Object.entries(surroundings)) take(name, line)
  return [...lines, code, 'export {}'].join('\n')
}
