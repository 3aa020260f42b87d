import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { commentOf } from './comment.mjs'

/**
 * Reads the exports of each entry point in package.json.
 *
 * @returns for each entry point: the name that users import, its page, its description, and the exports sorted by name
 */
export function readEntries(root) {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = Object.keys(exports)
    .filter((path) => path !== './package.json')
    .map((path) => ({
      name: path.replace(/^\./, name),
      page: path === '.' ? 'index' : path.slice(2),
      file: join(root, 'lib', `${path === '.' ? 'index' : path.slice(2)}.ts`),
    }))
  const program = ts.createProgram({
    rootNames: entries.map(({ file }) => file),
    options: { noLib: true, types: [], target: ts.ScriptTarget.ES2022 },
    host: ownFiles(),
  })
  const checker = program.getTypeChecker()
  return entries.map(({ file, ...entry }) => {
    const source = program.getSourceFile(file)
    if (source === undefined) throw new Error(`The file of an entry point does not exist: ${file}`)
    const about = /\/\*\*\s*(.*?)\s*@packageDocumentation/s.exec(source.text)?.[1] ?? ''
    return { ...entry, about, exports: exportsOf(source, checker, root) }
  })
}

/** Creates a compiler host that reads only files of the project. Types of packages stay unresolved. */
function ownFiles() {
  return Object.assign(ts.createCompilerHost({}), {
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        if (!text.startsWith('.')) return { resolvedModule: undefined }
        const resolvedFileName = join(dirname(from), text.replace(/\.js$/, '.ts'))
        return { resolvedModule: { resolvedFileName, extension: ts.Extension.Ts } }
      }),
  })
}

function exportsOf(source, checker, root) {
  const module = checker.getSymbolAtLocation(source)
  const found = checker.getExportsOfModule(module).map((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return { name: symbol.name, declarations: target.declarations ?? [] }
  })
  const names = new Set(found.map(({ name }) => name))
  const values = valuesOf(source)
  const isExported = ({ name, declarations: [node] }) =>
    values.has(name) ||
    node === undefined ||
    !(ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node))
  return found
    .filter(isExported)
    .map(({ name, declarations }) => {
      const [node] = declarations
      if (node === undefined) throw new Error(`The export '${name}' has no declaration.`)
      const file = relative(root, node.getSourceFile().fileName).replaceAll('\\', '/')
      const comment = commentOf(statementOf(node))
      return { name, file, isValue: values.has(name), ...described(node, checker, names), comment }
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** Returns the names of exports that are values, not only types. */
function valuesOf(source) {
  const names = new Set()
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) continue
    if (statement.exportClause === undefined) {
      const file = join(dirname(source.fileName), statement.moduleSpecifier.text.replace(/\.js$/, '.ts'))
      const text = readFileSync(file, 'utf8')
      for (const name of valuesOf(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022))) names.add(name)
    } else {
      for (const { name, isTypeOnly } of statement.exportClause.elements)
        if (!isTypeOnly) names.add(name.text)
    }
  }
  return names
}

/** Returns the statement that has the docstring: for a variable, the one that contains its declaration. */
function statementOf(node) {
  return ts.isVariableDeclaration(node) ? node.parent.parent : node
}

/** Returns the code of a declaration without its body, and its members. */
function described(node, checker, names) {
  if (ts.isFunctionDeclaration(node)) return { code: headOf(node, node.body), members: [] }
  if (ts.isClassDeclaration(node)) {
    const members = node.members.filter(isPublic).map((member) => memberOf(member))
    return { code: headOf(node, node.members), members }
  }
  if (ts.isInterfaceDeclaration(node)) {
    return { code: headOf(node, node.members), members: membersOf(node, checker, names) }
  }
  if (ts.isTypeAliasDeclaration(node)) {
    return { code: withoutComments(node).replace(/^export (declare )?/, ''), members: [] }
  }
  if (ts.isVariableDeclaration(node)) {
    return { code: `const ${node.name.getText()}: ${typeOf(node, checker)}`, members: [] }
  }
  throw new Error(`The reference does not support exports of kind ${ts.SyntaxKind[node.kind]}.`)
}

/** Returns the text of a declaration before its body or its members. */
function headOf(node, body) {
  const end = body === undefined ? node.end : body.pos
  const text = node.getSourceFile().text.slice(node.getStart(), end)
  return text.replace(/^export (declare )?/, '').replace(/\s*\{\s*$/, '')
}

function typeOf(node, checker) {
  if (node.type !== undefined) return node.type.getText()
  if (node.initializer !== undefined && ts.isAsExpression(node.initializer))
    return node.initializer.type.getText()
  const type = checker.getTypeAtLocation(node)
  const text = checker.typeToString(type, node, ts.TypeFormatFlags.NoTruncation)
  return text.length > 200 ? (type.aliasSymbol ?? type.symbol).name : text
}

/** Returns the members of an interface, including those of base interfaces that are not exported. */
function membersOf(node, checker, names) {
  const inherited = (node.heritageClauses ?? [])
    .flatMap(({ types }) => types)
    .flatMap(({ expression }) => {
      const symbol = checker.getSymbolAtLocation(expression)
      if (symbol === undefined || names.has(symbol.name)) return []
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      return (target.declarations ?? [])
        .filter(ts.isInterfaceDeclaration)
        .flatMap((base) => membersOf(base, checker, names))
    })
  return [...node.members.map((member) => memberOf(member)), ...inherited]
}

function isPublic(member) {
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.StaticKeyword]
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : []
  return (
    !ts.isClassStaticBlockDeclaration(member) &&
    !modifiers.some(({ kind }) => hidden.includes(kind)) &&
    member.name?.kind !== ts.SyntaxKind.PrivateIdentifier
  )
}

function memberOf(member) {
  const end = member.body?.pos ?? member.initializer?.pos ?? member.end
  const text = member.getSourceFile().text.slice(member.getStart(), end)
  const code = text
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/^(override |readonly )*/, '')
    .replace(/^(\w+\?: .*) \| undefined$/s, '$1')
    .replace(/\s*=?\s*$/, '')
    .replace(/\s+/g, ' ')
    .replace(/\( /g, '(')
    .replace(/,? \)/g, ')')
    .replace(/, >/g, '>')
    .replace(/^(\w+\??: )\((\(.*\) => [^()]*(?:\([^()]*\))?[^()]*)\)$/, '$1$2')
  return { code, comment: commentOf(member) }
}

function withoutComments(node) {
  return node.getText().replace(/^[ \t]*\/\*\*.*?\*\/\n/gms, '')
}
