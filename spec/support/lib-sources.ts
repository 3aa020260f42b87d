import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(__dirname, '../..')

/** One TypeScript file of the project as the compiler reads it. */
interface SourceFile {
  /** Relative to the project: `lib/uri/scanner.ts`. */
  readonly path: string
  readonly text: string
  readonly syntax: ts.SourceFile
}

/** A reference of one file to another module, of types and of values alike. */
interface ModuleReference {
  readonly from: string
  /** As it is written. */
  readonly specifier: string
  /** The file of the project that is meant; undefined for packages. */
  readonly to: string | undefined
}

/** All files below a folder of the project whose names end in a certain way. */
export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .sort()
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

export function exists(path: string): boolean {
  return existsSync(join(root, path))
}

export function parse(path: string): SourceFile {
  const text = readText(path)
  return { path, text, syntax: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true) }
}

/** Everything that a file imports or exports from elsewhere, `import('…')` in types and values included. */
export function referencesOf({ path, syntax }: SourceFile): ModuleReference[] {
  const references: ModuleReference[] = []
  const add = (node: ts.Node | undefined): void => {
    if (node === undefined || !ts.isStringLiteral(node)) return
    const specifier = node.text
    const to = specifier.startsWith('.')
      ? posix.join(dirname(path), specifier).replace(/\.js$/, '.ts')
      : undefined
    references.push({ from: path, specifier, to })
  }
  forEachNode(syntax, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0])
    }
  })
  return references
}

export function forEachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => forEachNode(child, visit))
}

/** Where a node stands, as editors understand it: `lib/options.ts:12`. */
export function placeOf(node: ts.Node): string {
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart())
  return `${relative(root, resolve(root, file.fileName)).replaceAll('\\', '/')}:${line + 1}`
}

/** A program that knows the types of `lib`. */
export function programOf(paths: readonly string[]): ts.Program {
  const config = ts.parseConfigFileTextToJson('tsconfig.json', readText('tsconfig.json')).config
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root)
  return ts.createProgram(
    paths.map((path) => join(root, path)),
    { ...options, types: ['node'] },
  )
}

/** The shortest circles in a graph, each named once by its members in order. */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles = new Set<string>()
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): void => {
    const start = path.indexOf(node)
    if (start >= 0) circles.add([...path.slice(start), node].join(' -> '))
    if (start >= 0 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return [...circles]
}

/** Everything that can be reached in a graph. */
export function reachableFrom(
  starts: readonly string[],
  graph: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const reached = new Set<string>()
  const pending = [...starts]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    pending.push(...(graph.get(next) ?? []))
  }
  return reached
}
