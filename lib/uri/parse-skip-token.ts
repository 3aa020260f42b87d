import { parseLiteral } from './parse-literal.js'
import { Scanner } from './scanner.js'
import type { LiteralSyntax } from './syntax-tree.js'

/**
 * Parses the value of `$skiptoken`: the literals of the position at which the last page ended.
 *
 *     token = literal *( "," literal )
 *
 * @throws ODataError InvalidSystemQueryOption for anything else
 * @spec MS-ODATA 2.2.3.6.1.9
 */
export function parseSkipToken(source: string): LiteralSyntax[] {
  const scanner = new Scanner(source, '$skiptoken')
  const literals: LiteralSyntax[] = []
  do {
    scanner.skipSpace()
    const literal = parseLiteral(scanner)
    if (literal === undefined) throw scanner.error('Expected a literal')
    literals.push(literal)
    scanner.skipSpace()
  } while (scanner.accept(','))
  if (!scanner.atEnd) throw scanner.error("Expected ',' or the end")
  return literals
}
