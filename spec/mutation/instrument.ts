import ts from 'typescript'
import { replacementsOf, truthsFor, withoutQuestionMarks } from './replacements.js'

const { factory, SyntaxKind } = ts

/** A mutant that can be activated at run time. */
export interface Mutant {
  readonly id: number
  readonly file: string
  readonly line: number
  /** The original source text and its replacement. */
  readonly original: string
  readonly replacement: string
}

/** The function that returns whether a mutant is active, in the sources and in the global object. */
export const switchName = '$mutant'

const header = `const ${switchName} = globalThis.${switchName} ?? (() => false);\n`

/**
 * Inserts all mutants of a source, each behind a switch: `a < b` becomes `$mutant(7) ? a <= b : $mutant(8) ? a >= b : a
 * < b`. A source is compiled only once for all mutants.
 *
 * @param mutants receives the mutants; the ID of a mutant is its index
 */
export function instrument(file: string, text: string, mutants: Mutant[]): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
  const printer = ts.createPrinter({ removeComments: true })
  const result = ts.transform(source, [
    (context) => (root) => new Instrumentation(context, root, mutants).result(),
  ])
  const [transformed] = result.transformed
  return transformed === undefined ? text : header + printer.printFile(transformed)
}

class Instrumentation {
  private readonly printer = ts.createPrinter({ removeComments: true })

  constructor(
    private readonly context: ts.TransformationContext,
    private readonly source: ts.SourceFile,
    private readonly mutants: Mutant[],
  ) {}

  result(): ts.SourceFile {
    return ts.visitEachChild(this.source, this.visit, this.context)
  }

  private readonly visit = (node: ts.Node): ts.Node => {
    if (isLeftAlone(node)) return node
    const visited = this.children(node)
    if (ts.isExpression(node)) return this.expression(node, visited as ts.Expression)
    if (ts.isStatement(node)) return this.statement(node, visited as ts.Statement)
    return visited
  }

  private children(node: ts.Node): ts.Node {
    const { context, visit } = this
    if (ts.isBinaryExpression(node) && isAssignment(node)) {
      const right = ts.visitNode(node.right, visit) as ts.Expression
      const left = isPattern(node.left) ? node.left : ts.visitEachChild(node.left, visit, context)
      return factory.updateBinaryExpression(node, left, node.operatorToken, right)
    }
    if (ts.isPropertyAssignment(node)) {
      const value = ts.visitNode(node.initializer, visit) as ts.Expression
      return factory.updatePropertyAssignment(node, node.name, value)
    }
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) return this.function(node)
    if (ts.isForOfStatement(node)) return this.forOf(node)
    if (ts.isCatchClause(node)) {
      const block = this.emptied(node.block, ts.visitEachChild(node.block, visit, context))
      return factory.updateCatchClause(node, node.variableDeclaration, block)
    }
    return ts.visitEachChild(node, visit, context)
  }

  /** An empty body, and undefined as the result of an arrow function. */
  private function(node: ts.SignatureDeclaration): ts.Node {
    const body = (node as ts.FunctionLikeDeclaration).body
    const change = (child: ts.Node): ts.Node => {
      if (child !== body) return this.visit(child)
      if (!ts.isBlock(child)) {
        return this.switched(child, this.visit(child) as ts.Expression, [
          factory.createIdentifier('undefined'),
        ])
      }
      const visited = ts.visitEachChild(child, this.visit, this.context)
      const isSmall = child.statements.length < 2 || ts.isConstructorDeclaration(node)
      if (isSmall) return visited
      const leave = factory.createIfStatement(this.added(child, '{}'), factory.createReturnStatement())
      return factory.updateBlock(visited, [leave, ...visited.statements])
    }
    return ts.visitEachChild(node, change, this.context)
  }

  private forOf(node: ts.ForOfStatement): ts.Node {
    const expression = ts.visitNode(node.expression, this.visit) as ts.Expression
    const statement = ts.visitNode(node.statement, this.visit) as ts.Statement
    const skip = factory.createIfStatement(
      this.added(node.statement, '{}'),
      factory.createContinueStatement(),
    )
    const body = factory.createBlock([skip, statement], true)
    return factory.updateForOfStatement(node, node.awaitModifier, node.initializer, expression, body)
  }

  private emptied(original: ts.Block, visited: ts.Block): ts.Block {
    if (original.statements.length === 0) return visited
    const inner = factory.createBlock(visited.statements, true)
    const unless = factory.createIfStatement(factory.createLogicalNot(this.added(original, '{}')), inner)
    return factory.updateBlock(visited, [unless])
  }

  private expression(node: ts.Expression, visited: ts.Expression): ts.Expression {
    if (isPlace(node)) return visited
    if (isInChain(node)) return visited
    const truths = truthsFor(node).map((truth) => (truth ? factory.createTrue() : factory.createFalse()))
    const others = ts.isOptionalChain(node) ? withoutQuestionMarks(node) : replacementsOf(node)
    return this.switched(node, visited, [...truths, ...others])
  }

  private statement(node: ts.Statement, visited: ts.Statement): ts.Statement {
    const isRemovable =
      (ts.isExpressionStatement(node) && !isSuperCall(node.expression)) ||
      ts.isThrowStatement(node) ||
      ts.isBreakOrContinueStatement(node) ||
      (ts.isReturnStatement(node) && node.expression === undefined)
    if (!isRemovable) return visited
    const unless = factory.createIfStatement(factory.createLogicalNot(this.added(node, ';')), visited)
    // Without the braces, the `else` of an outer `if` would belong to the inner one.
    return factory.createBlock([unless])
  }

  private switched(
    node: ts.Node,
    visited: ts.Expression,
    replacements: readonly ts.Expression[],
  ): ts.Expression {
    let switched = visited
    for (const replacement of replacements) {
      const isOn = this.added(node, this.print(replacement))
      const [on, off] = [
        factory.createParenthesizedExpression(replacement),
        factory.createParenthesizedExpression(switched),
      ]
      switched = factory.createParenthesizedExpression(
        factory.createConditionalExpression(isOn, undefined, on, undefined, off),
      )
    }
    return switched
  }

  private added(node: ts.Node, replacement: string): ts.Expression {
    const id = this.mutants.length
    const { line } = this.source.getLineAndCharacterOfPosition(node.getStart(this.source))
    const original = shortened(node.getText(this.source))
    this.mutants.push({
      id,
      file: this.source.fileName,
      line: line + 1,
      original,
      replacement: shortened(replacement),
    })
    return factory.createCallExpression(factory.createIdentifier(switchName), undefined, [
      factory.createNumericLiteral(id),
    ])
  }

  private print(node: ts.Node): string {
    return this.printer.printNode(ts.EmitHint.Unspecified, node, this.source)
  }
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 90)}…` : line
}

/** Types, names, and strings that are syntax. */
function isLeftAlone(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  return ts.isStringLiteral(node) && isDecidedOtherwise(node.parent)
}

/**
 * Mutating the string of a comparison would duplicate the mutant that makes it false, and TypeScript checks operands of
 * typeof.
 */
function isDecidedOtherwise(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && (truthsFor(node).length > 0 || isComparedWithTypeof(node))
}

/** The results of typeof are a closed set that TypeScript checks. */
function isComparedWithTypeof(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node) && (ts.isTypeOfExpression(node.left) || ts.isTypeOfExpression(node.right))
  )
}

function isAssignment(node: ts.BinaryExpression): boolean {
  const { kind } = node.operatorToken
  return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment
}

function isPattern(node: ts.Node): boolean {
  return ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node)
}

/** The target of an assignment, a deletion or a call, which is not read. */
function isPlace(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent))
    return parent.expression === node && !isInner(node)
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)) {
    return parent.operator === SyntaxKind.PlusPlusToken || parent.operator === SyntaxKind.MinusMinusToken
  }
  return ts.isDeleteExpression(parent) || ts.isTaggedTemplateExpression(parent)
}

/** A call whose result is called. */
function isInner(node: ts.Expression): boolean {
  return ts.isCallExpression(node) || ts.isParenthesizedExpression(node)
}

function isInChain(node: ts.Expression): boolean {
  return ts.isOptionalChain(node) && ts.isOptionalChain(node.parent) && node.parent.expression === node
}

function isSuperCall(node: ts.Expression): boolean {
  return ts.isCallExpression(node) && node.expression.kind === SyntaxKind.SuperKeyword
}
