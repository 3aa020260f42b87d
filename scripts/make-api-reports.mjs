/**
 * The public interface as text, a file for each entry: `npm run api` writes them, `npm run api -- --check` fails where
 * they are out of date, and shows how. A change of the interface is then seen by whoever reads the change.
 *
 * What is not exported but stands behind what is, such as what an interface extends, is listed below it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import process from 'node:process'
import { format, resolveConfig } from 'prettier'
import ts from 'typescript'

/** Run from the root of the project, as npm does. */
const folder = resolve('api')
const lib = resolve('lib')
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
/** Names of modules in `lib` by the name under which they are imported. */
const entries = Object.keys(exports)
  .filter((name) => !name.endsWith('.json'))
  .map((name) => ({ name: join('express-odata-v2', name), module: name === '.' ? 'index' : name.slice(2) }))

/** The declarations as they are published, without writing them anywhere. */
function declarations() {
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

/** What a declaration says, without what only the class itself may use. */
function textOf(declaration) {
  const file = declaration.getSourceFile()
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  const text = printer.printNode(ts.EmitHint.Unspecified, statement, file)
  return text
    .replace(/^ *(?:private|protected) .*$\n/gm, '')
    .replace(/^(?:export )?(?:declare )?/, '')
    .trim()
}

/** A declaration by itself, or that of all that is exported by another name. */
function original(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** What declarations name that is declared beside them, and is not theirs. */
function namedIn(checker, declaration, outDir) {
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
      const target = symbol && original(checker, symbol)
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

function listed(symbols) {
  return [...symbols]
    .map(([name, symbol]) => ({ name, text: [...new Set(symbol.declarations.map(textOf))].join('\n') }))
    .sort((one, other) =>
      one.name < other.name ? -1 : one.name > other.name ? 1 : one.text < other.text ? -1 : 1,
    )
    .map(({ text }) => text)
    .join('\n\n')
}

/** @returns the report of an entry, as Markdown */
function reportOf({ name, module }, { program, outDir }, known) {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(join(outDir, `${module}.d.ts`))
  const exported = checker
    .getExportsOfModule(checker.getSymbolAtLocation(file))
    .map((symbol) => [symbol.name, original(checker, symbol)])
  const own = exported.filter(([, symbol]) => !known.has(symbol))
  const seen = new Set([...known, ...exported.map(([, symbol]) => symbol)])
  const behind = []
  const queue = own.map(([, symbol]) => symbol)
  for (const symbol of queue) {
    for (const declaration of symbol.declarations) {
      for (const named of namedIn(checker, declaration, outDir)) {
        if (seen.has(named)) continue
        seen.add(named)
        behind.push([named.name, named])
        queue.push(named)
      }
    }
  }
  const elsewhere = exported.length - own.length
  const parts = [
    `# ${name}`,
    'Made by `npm run api` of the declarations that are published. Do not edit.',
    ...(elsewhere === 0 ? [] : [`It also exports what \`express-odata-v2/node\` does (${elsewhere} names).`]),
    `\`\`\`ts\n${listed(own)}\n\`\`\``,
    ...(behind.length === 0 ? [] : ['## Not exported', `\`\`\`ts\n${listed(behind)}\n\`\`\``]),
  ]
  for (const symbol of seen) known.add(symbol)
  return parts.join('\n\n')
}

const isCheck = process.argv.includes('--check')
const made = declarations()
const outOfDate = []
/** The entry that others build upon comes first: it lists what they share. */
const inOrder = [...entries].sort((one, other) => (other.module === 'node') - (one.module === 'node'))
const known = new Set()
for (const entry of inOrder) {
  const path = join(folder, `${entry.name.replaceAll('/', '-')}.api.md`)
  const text = await format(reportOf(entry, made, known), {
    ...(await resolveConfig(path)),
    parser: 'markdown',
  })
  let before = ''
  try {
    before = readFileSync(path, 'utf8')
  } catch {
    // There is none yet.
  }
  if (before === text) continue
  if (isCheck) outOfDate.push({ path, text })
  else writeFileSync(path, text)
}
if (outOfDate.length > 0) {
  const aside = mkdtempSync(join(folder, '.check-'))
  for (const { path, text } of outOfDate) {
    const fresh = join(aside, 'now')
    writeFileSync(fresh, text)
    try {
      execFileSync('diff', ['-u', '--label', relative('.', path), '--label', 'now', path, fresh], {
        stdio: 'inherit',
      })
    } catch {
      // It ends with 1 where there are differences.
    }
  }
  rmSync(aside, { recursive: true })
  console.error(
    'The public interface has changed. If that is meant: npm run api, and a line in CHANGELOG.md.',
  )
  process.exitCode = 1
}
