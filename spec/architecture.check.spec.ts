import { dirname, posix } from 'node:path'
import ts from 'typescript'
import {
  circlesIn,
  exists,
  filesBelow,
  forEachNode,
  parse,
  placeOf,
  programOf,
  reachableFrom,
  readText,
  referencesOf,
} from './support/lib-sources.js'

const files = filesBelow('lib', '.ts').map(parse)
const references = files.flatMap(referencesOf)
const graph = new Map(
  files.map(({ path }) => [
    path,
    references.filter(({ from }) => from === path).flatMap(({ to }) => (to === undefined ? [] : [to])),
  ]),
)

/** From the bottom to the top: a layer may import those that stand before its own row. */
const layers: readonly (readonly string[])[] = [
  ['util'],
  ['xml'],
  ['errors'],
  ['diagnostics'],
  ['edm'],
  ['uri'],
  ['query'],
  ['evaluation'],
  ['provider'],
  ['data'],
  ['csdl'],
  ['formats'],
  ['http'],
  ['batch'],
  ['limits'],
  ['options'],
  ['configure-service'],
  ['resources'],
  ['lifecycle'],
  ['service'],
  // Clients of the core: documents, pages, checks and data that are derived from a model or a service.
  ['tools/annotations', 'tools/model-diff', 'tools/mock', 'tools/audit', 'tools/explorer', 'tools/openapi'],
  ['start-service'],
  ['odata-v2', 'request-listener'],
  ['node'],
  ['index'],
  ['sql', 'audit', 'v2', 'v4'],
  ['tools/command-line'],
]

/** Ready-made providers know no more than a provider of a user could. */
const knownToProviders = ['provider', 'evaluation', 'query', 'edm', 'csdl', 'errors', 'util']
/** Providers of services of OData share their HTTP client. Those of V2 services also have the formats of V2. */
const knownToClients: Readonly<Record<string, readonly string[]>> = {
  'providers/upstream': ['batch', 'xml'],
  'providers/v4': ['providers/upstream'],
  'providers/v2': ['providers/upstream', 'formats', 'uri'],
}
/** Modules that combine the parts may import the built-in providers too. */
const knowsProviders = ['node', 'index', 'sql', 'v2', 'v4', 'tools/command-line']

/** `lib/uri/scanner.ts` is `uri`, `lib/options.ts` is `options`, `lib/providers/memory/x.ts` is `providers/memory`, and so is
 * each tool. */
function layerOf(path: string): string {
  const [first = '', second = ''] = path
    .replace(/^lib\//, '')
    .replace(/\.ts$/, '')
    .split('/')
  return ['providers', 'tools'].includes(first) ? `${first}/${second}` : first
}

function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  if (from.startsWith('providers/'))
    return knownToProviders.includes(to) || knownToClients[from]?.includes(to) === true
  if (to.startsWith('providers/')) return knowsProviders.includes(from)
  const rank = (layer: string): number => layers.findIndex((row) => row.includes(layer))
  return rank(to) < rank(from)
}

/** Places in all files where something stands. */
function placesWhere(matches: (node: ts.Node) => boolean, except: readonly string[] = []): string[] {
  const places: string[] = []
  for (const { path, syntax } of files) {
    if (except.some((one) => path.startsWith(one))) continue
    forEachNode(syntax, (node) => {
      if (matches(node)) places.push(placeOf(node))
    })
  }
  return places
}

describe('The layers of lib', () => {
  it('MUST all be known', () => {
    const known = layers.flat()
    const unknown = files.map(({ path }) => layerOf(path)).filter((layer) => !known.includes(layer))
    expect(unknown.filter((layer) => !/^providers\/[\w-]+$/.test(layer))).toEqual([])
  })

  it('MUST import only files of lower layers, types included', () => {
    const upwards = references
      .filter(({ from, to }) => to !== undefined && !mayImport(layerOf(from), layerOf(to)))
      .map(({ from, to }) => `${from} -> ${to}`)
    expect(upwards).toEqual([])
  })

  it('MUST have no circles among files, types included', () => {
    expect(circlesIn(graph)).toEqual([])
  })

  it('MUST import files by the names of the built files', () => {
    const wrong = references
      .filter(({ specifier, to }) => to !== undefined && !(specifier.endsWith('.js') && exists(to)))
      .map(({ from, specifier }) => `${from}: ${specifier}`)
    expect(wrong).toEqual([])
  })

  it('MUST be reachable from the entry points', () => {
    const reached = reachableFrom(
      [
        'lib/index.ts',
        'lib/node.ts',
        'lib/sql.ts',
        'lib/audit.ts',
        'lib/v2.ts',
        'lib/v4.ts',
        'lib/tools/command-line/main.ts',
        'lib/tools/explorer/page/main.ts',
      ],
      graph,
    )
    expect(files.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([])
  })
})

describe('The page of the explorer', () => {
  it('MUST NOT import code of the server, or be imported by it', () => {
    const page = 'lib/tools/explorer/page/'
    const crossing = references.filter(
      ({ from, to, specifier }) => from.startsWith(page) !== (to ?? specifier).startsWith(page),
    )
    expect(crossing.filter(({ from, to }) => [from, to].some((path) => path?.startsWith(page)))).toEqual([])
  })
})

describe('The folders of databases', () => {
  const folder = 'lib/providers/sql/dialects'
  const databaseOf = (path = ''): string | undefined =>
    /^lib\/providers\/sql\/dialects\/(?!shared\/)([\w-]+)\//.exec(path)?.[1]
  const names = new Set(files.flatMap(({ path }) => databaseOf(path) ?? []))
  /** The tables of all databases, and the public API, whose types and options belong to single databases. */
  const publicFiles = ['sql-provider', 'open-database/driver', 'open-database/open-database']
  const allowed = [
    `${folder}/databases.ts`,
    `${folder}/sources.ts`,
    'lib/sql.ts',
    ...publicFiles.map((file) => `lib/providers/sql/${file}.ts`),
  ]

  it('MUST be imported only by the tables of databases and by the public API', () => {
    const others = references.filter(({ from, to }) => {
      const database = databaseOf(to)
      return database !== undefined && database !== databaseOf(from) && !allowed.includes(from)
    })
    expect(others).toEqual([])
    expect(names.size).toBeGreaterThan(2)
  })

  it('MUST be the only files that compare the name of a database', () => {
    const isName = (node: ts.Node): boolean =>
      ts.isStringLiteral(node) &&
      names.has(node.text) &&
      !ts.isLiteralTypeNode(node.parent) &&
      !ts.isArrayLiteralExpression(node.parent)
    const outside = placesWhere(isName, [folder]).filter(
      (place) => place.startsWith('lib/providers/sql/') || place.startsWith('lib/tools/command-line/'),
    )
    expect(outside).toEqual([])
  })
})

describe('The specs', () => {
  it('MUST be in the folder of the file of lib whose name they have, and which they import', () => {
    const misplaced = filesBelow('spec', '.spec.ts').flatMap((spec) => {
      const name = posix.basename(spec).replace(/(?:\.deep|\.check)?\.spec\.ts$/, '')
      const mirrored = posix.join(dirname(spec).replace(/^spec/, 'lib'), `${name}.ts`)
      const tested = [...readText(spec).matchAll(/^import \{[^}]*\} from '([^']*\/lib\/[^']*)\.js'$/gm)]
        .map(([, path = '']) => `${posix.join(dirname(spec), path)}.ts`)
        .filter((path) => posix.basename(path) === `${name}.ts`)
      const isElsewhere = tested.length > 0 && !exists(mirrored) && !spec.startsWith('spec/databases/')
      return isElsewhere ? [`${spec} -> ${tested.join()}`] : []
    })
    expect(misplaced).toEqual([])
  })
})

describe('The files of lib', () => {
  it.each([
    ['lib', 360],
    ['spec', 380],
    ['sample-app', 360],
  ])('MUST have few lines without comments and blank lines: %s, at most %d', (folder, limit) => {
    const noCode = /^\s*(?:\/\/|\/?\*|$)/
    const long = filesBelow(folder, '.ts')
      .map((path) => ({
        path,
        lines: readText(path)
          .split('\n')
          .filter((line) => !noCode.test(line)).length,
      }))
      .filter(({ lines }) => lines > limit)
    expect(long).toEqual([])
  })

  it('MUST NOT use any', () => {
    expect(placesWhere(({ kind }) => kind === ts.SyntaxKind.AnyKeyword)).toEqual([])
  })

  it('MUST not use non-null assertions', () => {
    expect(placesWhere(ts.isNonNullExpression)).toEqual([])
  })

  it('MUST use named exports', () => {
    const isDefault = (node: ts.Node): boolean =>
      ts.isExportAssignment(node) ||
      (ts.canHaveModifiers(node) &&
        (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword))
    expect(placesWhere(isDefault)).toEqual([])
  })

  it('MUST leave the console to the command line, and to errors without another listener', () => {
    const isConsole = (node: ts.Node): boolean => ts.isIdentifier(node) && node.text === 'console'
    expect(placesWhere(isConsole, ['lib/http/call-on-error.ts', 'lib/tools/command-line/'])).toEqual([])
  })

  it('MUST read the environment nowhere else either', () => {
    const isEnvironment = (node: ts.Node): boolean =>
      ts.isPropertyAccessExpression(node) && node.getText() === 'process.env'
    expect(placesWhere(isEnvironment, ['lib/http/call-on-error.ts', 'lib/tools/command-line/'])).toEqual([])
  })

  it('MUST not switch rules off', () => {
    const comment = /eslint-disable|@ts-(?:ignore|nocheck|expect-error)/
    expect(files.filter(({ text }) => comment.test(text)).map(({ path }) => path)).toEqual([])
  })
})

/** Members through which code of an application is called, and the only files that may. */
const doors: readonly (readonly [owner: string, members: readonly string[], file: string])[] = [
  ['EntitySetProvider', ['read', 'readByKey', 'count', 'readRelated'], 'lib/data/provider-calls.ts'],
  ['MediaProvider', ['open'], 'lib/data/provider-calls.ts'],
  ['Provider', ['functions'], 'lib/data/provider-calls.ts'],
  ['Pushdown', ['filter', 'orderBy', 'navigation'], 'lib/data/'],
  [
    'EntityHooks',
    ['beforeInsert', 'afterInsert', 'beforeUpdate', 'afterUpdate', 'beforeDelete', 'afterDelete'],
    'lib/data/hooked-writer.ts',
  ],
]

/** The classes that lead from a request to its data, and the only files that create objects of them. */
const creators: readonly (readonly [owner: string, files: readonly string[]])[] = [
  ['RequestSession', ['lib/service.ts']],
  ['DataReader', ['lib/resources/request-session.ts']],
  ['EntityWriter', ['lib/resources/request-session.ts']],
  ['Permissions', ['lib/data/data-reader.ts']],
  ['ProviderCalls', ['lib/resources/request-session.ts', 'lib/data/provider-calls.ts']],
]

/** Functions that change data are matched by name, because only their module may call them. */
const writes: typeof doors = [
  [
    'EntitySetProvider',
    ['insert', 'update', 'merge', 'delete', 'link', 'unlink'],
    'lib/data/provider-calls.ts',
  ],
  ['Provider', ['beginChangeSet'], 'lib/data/provider-calls.ts'],
]

describe('The data of an application', () => {
  const program = programOf(files.map(({ path }) => path))
  const checker = program.getTypeChecker()

  /** The interface and the member that is called, as the compiler understands it. */
  function calledMember(node: ts.CallExpression): readonly [owner: string, member: string] | undefined {
    let callee: ts.Expression = node.expression
    if (ts.isElementAccessExpression(callee)) callee = callee.expression
    if (!ts.isPropertyAccessExpression(callee)) return undefined
    const declaration = checker.getSymbolAtLocation(callee.name)?.declarations?.[0]
    const owner = declaration?.parent
    return owner !== undefined && ts.isInterfaceDeclaration(owner)
      ? [owner.name.text, callee.name.text]
      : undefined
  }

  const calls = program
    .getSourceFiles()
    .filter(({ fileName }) => !fileName.includes('node_modules'))
    .flatMap((file) => {
      const found: { readonly place: string; readonly owner: string; readonly member: string }[] = []
      forEachNode(file, (node) => {
        const [owner, member] = (ts.isCallExpression(node) ? calledMember(node) : undefined) ?? []
        if (owner !== undefined && member !== undefined) found.push({ place: placeOf(node), owner, member })
      })
      return found
    })

  it('MUST be reached through one door, where the caller is authorized', () => {
    const round = calls.filter(({ place, owner, member }) => {
      const door = [...doors, ...writes].find(([one, members]) => one === owner && members.includes(member))
      // A provider that delegates to another one is called through the door itself.
      const isDelegated = place.startsWith('lib/providers/media-store/')
      return door !== undefined && !isDelegated && !place.startsWith(door[2])
    })
    expect(round).toEqual([])
  })

  it.each(creators)('MUST be reached through one session for each request: %s', (owner, allowed) => {
    const places = placesWhere(
      (node) =>
        ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === owner,
    )
    expect(places.filter((place) => !allowed.some((file) => place.startsWith(file)))).toEqual([])
    for (const file of allowed) expect(places.some((place) => place.startsWith(file))).toBe(true)
  })

  it('MUST contain all allowed calls, so that the check above is effective', () => {
    const seen = new Set(calls.map(({ owner, member }) => `${owner}.${member}`))
    for (const [owner, members] of doors) {
      for (const member of members) expect(seen).toContain(`${owner}.${member}`)
    }
  })
})

describe('Documentation', () => {
  const documents = ['', 'docs', 'spec', 'sample-app'].flatMap((folder) =>
    folder === ''
      ? ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
      : filesBelow(folder, '.md'),
  )

  it.each(documents)('MUST lead nowhere that does not exist: %s', (document) => {
    const text = readText(document).replace(/^```.*?^```$/gms, '')
    const targets = [...text.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s*(\S+)/gm)]
      .map(([, inline, defined]) => inline ?? defined ?? '')
      .filter((target) => !/^[a-z]+:/.test(target))
    const broken = targets.filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? document : posix.join(dirname(document), decodeURIComponent(path))
      if (!exists(file)) return true
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(readText(file)).has(anchor)
    })
    expect(broken).toEqual([])
  })

  it('MUST describe every public value, with a section of the specification or an example', () => {
    expect(publicValues().filter(({ documented }) => !documented)).toEqual([])
  })
})

/** The anchors that readers of Markdown make of headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+\s+(.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  )
}

interface PublicValue {
  readonly name: string
  readonly documented: boolean
}

/** Returns the values that each entry exports, without types. An entry may import values of another entry. */
function publicValues(): PublicValue[] {
  const entries = ['lib/index.ts', 'lib/node.ts', 'lib/sql.ts', 'lib/audit.ts', 'lib/v2.ts', 'lib/v4.ts']
  const values: PublicValue[] = []
  for (const statement of entries.flatMap((entry) => [...parse(entry).syntax.statements])) {
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) continue
    const { moduleSpecifier, exportClause } = statement
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) continue
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) continue
    const module = posix.join('lib', moduleSpecifier.text).replace(/\.js$/, '.ts')
    for (const { name, propertyName, isTypeOnly } of exportClause.elements) {
      if (!isTypeOnly)
        values.push({ name: name.text, documented: isDocumented(module, (propertyName ?? name).text) })
    }
  }
  return values
}

function isDocumented(module: string, name: string): boolean {
  return parse(module).syntax.statements.some((statement) => {
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map((one) => one.name.getText())
      : ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)
        ? [statement.name?.text]
        : []
    if (!names.includes(name)) return false
    return ts.getJSDocTags(statement).some(({ tagName }) => ['spec', 'example'].includes(tagName.text))
  })
}
