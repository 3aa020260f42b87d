/**
 * Writes a report of the public API for each entry point to `api`, so that reviewers see every change of it: `npm run
 * api`. With `--check`, writes nothing, prints the differences and exits with 1 if a report is outdated.
 *
 * A report also lists types that are not exported but that exports refer to, such as the base of an interface.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import process from 'node:process'
import { format, resolveConfig } from 'prettier'
import ts from 'typescript'

/** The folder of the reports. The working directory must be the root of the project. */
const folder = resolve('api')
const lib = resolve('lib')
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
/** Entry points: the name that users import, and the module in `lib`. */
const entries = Object.keys(exports)
  .filter((name) => !name.endsWith('.json'))
  .map((name) => ({ name: join('express-odata-v2', name), module: name === '.' ? 'index' : name.slice(2) }))

/** Creates the published declarations in memory. */
function emitDeclarations() {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(lib, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    lib,
  )
  const outDir = join(lib, '..', 'declarations')
  const settings = { ...options, outDir, noEmit: false, emitDeclarationOnly: true, stripInternal: true }
  const texts = new Map()
  ts.createProgram(fileNames, settings).emit(undefined, (path, text) => texts.set(path, text))
  const host = ts.createCompilerHost(settings)
  const { readFile, fileExists } = host
  host.readFile = (path) => texts.get(path) ?? readFile(path)
  host.directoryExists = undefined
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  const program = ts.createProgram(
    entries.map(({ module }) => join(outDir, `${module}.d.ts`)),
    settings,
    host,
  )
  return { program, outDir }
}

const printer = ts.createPrinter({ removeComments: true })

/** Formats a declaration without private and protected members. */
function formatDeclaration(declaration) {
  const file = declaration.getSourceFile()
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  const text = printer.printNode(ts.EmitHint.Unspecified, statement, file)
  return text
    .replace(/^ *(?:private|protected) .*$\n/gm, '')
    .replace(/^(?:export )?(?:declare )?/, '')
    .trim()
}

/** Resolves an alias to the exported symbol. */
function resolveAlias(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** Finds the top-level symbols of the package that a declaration refers to. */
function findReferences(checker, declaration, outDir) {
  const named = new Set()
  const visit = (node) => {
    if (
      ts.isClassElement(node) &&
      ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
    ) {
      return
    }
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node)
      const target = symbol && resolveAlias(checker, symbol)
      const isTopLevel = target?.declarations?.some(
        (one) =>
          one.getSourceFile().fileName.startsWith(outDir) &&
          (ts.isSourceFile(one.parent) || ts.isVariableDeclaration(one)) &&
          !ts.isSourceFile(one),
      )
      if (isTopLevel) named.add(target)
    }
    ts.forEachChild(node, visit)
  }
  visit(declaration)
  return named
}

function formatSymbols(symbols) {
  return [...symbols]
    .map(([name, symbol]) => ({
      name,
      text: [...new Set(symbol.declarations.map(formatDeclaration))].join('\n'),
    }))
    .sort((one, other) =>
      one.name < other.name ? -1 : one.name > other.name ? 1 : one.text < other.text ? -1 : 1,
    )
    .map(({ text }) => text)
    .join('\n\n')
}

/** Formats the report of an entry point as Markdown. @param known symbols that earlier reports list; updated */
function formatReport({ name, module }, { program, outDir }, known) {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(join(outDir, `${module}.d.ts`))
  const exported = checker
    .getExportsOfModule(checker.getSymbolAtLocation(file))
    .map((symbol) => [symbol.name, resolveAlias(checker, symbol)])
  const own = exported.filter(([, symbol]) => !known.has(symbol))
  const seen = new Set([...known, ...exported.map(([, symbol]) => symbol)])
  const internal = []
  const queue = own.map(([, symbol]) => symbol)
  for (const symbol of queue) {
    for (const declaration of symbol.declarations) {
      for (const reference of findReferences(checker, declaration, outDir)) {
        if (seen.has(reference)) continue
        seen.add(reference)
        internal.push([reference.name, reference])
        queue.push(reference)
      }
    }
  }
  const shared = exported.length - own.length
  const parts = [
    `# ${name}`,
    'Generated by `npm run api` from the published declarations. Do not edit.',
    ...(shared === 0
      ? []
      : [`This entry point also exports everything from \`express-odata-v2/node\` (${shared} names).`]),
    `\`\`\`ts\n${formatSymbols(own)}\n\`\`\``,
    ...(internal.length === 0 ? [] : ['## Not exported', `\`\`\`ts\n${formatSymbols(internal)}\n\`\`\``]),
  ]
  for (const symbol of seen) known.add(symbol)
  return parts.join('\n\n')
}

const isCheck = process.argv.includes('--check')
const declarations = emitDeclarations()
const outdated = []
/** `node` comes first: its report lists the exports that others share with it. */
const inOrder = [...entries].sort((one, other) => (other.module === 'node') - (one.module === 'node'))
const known = new Set()
for (const entry of inOrder) {
  const path = join(folder, `${entry.name.replaceAll('/', '-')}.api.md`)
  const text = await format(formatReport(entry, declarations, known), {
    ...(await resolveConfig(path)),
    parser: 'markdown',
  })
  let before = ''
  try {
    before = readFileSync(path, 'utf8')
  } catch {
    // The report does not exist yet.
  }
  if (before === text) continue
  if (isCheck) outdated.push({ path, text })
  else writeFileSync(path, text)
}
if (outdated.length > 0) {
  const temporary = mkdtempSync(join(folder, '.check-'))
  for (const { path, text } of outdated) {
    const fresh = join(temporary, 'now')
    writeFileSync(fresh, text)
    try {
      execFileSync('diff', ['-u', '--label', relative('.', path), '--label', 'now', path, fresh], {
        stdio: 'inherit',
      })
    } catch {
      // `diff` exits with 1 if there are differences.
    }
  }
  rmSync(temporary, { recursive: true })
  console.error(
    'The public API has changed. If this is intended, run npm run api and add a line to CHANGELOG.md.',
  )
  process.exitCode = 1
}
