import { Scanner } from './scanner.js'
import type { NamePathSyntax } from './syntax-tree.js'

/**
 * Parses the value of `$expand` or `$select`: names joined by `/`, separated by commas.
 *
 *     list = path *( "," path )
 *     path = WS name *( "/" name ) WS
 *
 * @param label the option, for messages
 * @throws ODataError InvalidSystemQueryOption for anything else, such as the parentheses of OData V4
 * @spec MS-ODATA 2.2.3.6.1.3, 2.2.3.6.1.11
 */
export function parseNamePaths(source: string, label: '$expand' | '$select'): NamePathSyntax[] {
  const scanner = new Scanner(source, label)
  const paths: NamePathSyntax[] = []
  do {
    scanner.skipSpace()
    const { position } = scanner
    const names: string[] = []
    do names.push(name(scanner))
    while (scanner.accept('/'))
    scanner.skipSpace()
    paths.push({ names, position })
  } while (scanner.accept(','))
  if (!scanner.atEnd) throw scanner.error("Expected ',' or the end")
  return paths
}

function name(scanner: Scanner): string {
  const found = scanner.accept('*') ? '*' : scanner.identifier()
  if (found === undefined) throw scanner.error('Expected a name')
  return found
}
