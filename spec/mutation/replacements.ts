import ts from 'typescript'

const { factory, SyntaxKind } = ts

/** Replacements of operators. */
const operators = new Map<ts.SyntaxKind, readonly ts.BinaryOperator[]>([
  [SyntaxKind.LessThanToken, [SyntaxKind.LessThanEqualsToken, SyntaxKind.GreaterThanEqualsToken]],
  [SyntaxKind.LessThanEqualsToken, [SyntaxKind.LessThanToken, SyntaxKind.GreaterThanToken]],
  [SyntaxKind.GreaterThanToken, [SyntaxKind.GreaterThanEqualsToken, SyntaxKind.LessThanEqualsToken]],
  [SyntaxKind.GreaterThanEqualsToken, [SyntaxKind.GreaterThanToken, SyntaxKind.LessThanToken]],
  [SyntaxKind.EqualsEqualsEqualsToken, [SyntaxKind.ExclamationEqualsEqualsToken]],
  [SyntaxKind.ExclamationEqualsEqualsToken, [SyntaxKind.EqualsEqualsEqualsToken]],
  [SyntaxKind.PlusToken, [SyntaxKind.MinusToken]],
  [SyntaxKind.MinusToken, [SyntaxKind.PlusToken]],
  [SyntaxKind.AsteriskToken, [SyntaxKind.SlashToken]],
  [SyntaxKind.SlashToken, [SyntaxKind.AsteriskToken]],
  [SyntaxKind.PercentToken, [SyntaxKind.AsteriskToken]],
  [SyntaxKind.AmpersandToken, [SyntaxKind.BarToken]],
  [SyntaxKind.BarToken, [SyntaxKind.AmpersandToken]],
  [SyntaxKind.LessThanLessThanToken, [SyntaxKind.GreaterThanGreaterThanToken]],
  [SyntaxKind.GreaterThanGreaterThanToken, [SyntaxKind.LessThanLessThanToken]],
  [SyntaxKind.AmpersandAmpersandToken, [SyntaxKind.BarBarToken]],
  [SyntaxKind.BarBarToken, [SyntaxKind.AmpersandAmpersandToken]],
  [SyntaxKind.QuestionQuestionToken, [SyntaxKind.AmpersandAmpersandToken]],
  [SyntaxKind.PlusEqualsToken, [SyntaxKind.MinusEqualsToken]],
  [SyntaxKind.MinusEqualsToken, [SyntaxKind.PlusEqualsToken]],
  [SyntaxKind.QuestionQuestionEqualsToken, [SyntaxKind.EqualsToken]],
])

const otherMethods = new Map([
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['indexOf', 'lastIndexOf'],
  ['lastIndexOf', 'indexOf'],
  ['find', 'findLast'],
])

/** Methods whose calls are removed: `names.sort()` becomes `names`. */
const removableMethods = new Set(
  (
    'trim trimStart trimEnd slice substring toLowerCase toUpperCase filter sort toSorted reverse replace replaceAll ' +
    'normalize concat flat padStart padEnd'
  ).split(' '),
)

/** Parts of regular expressions and their replacements. */
const patternFragments: readonly (readonly [RegExp, string])[] = [
  [/^\^/, ''],
  [/\$$/, ''],
  [/\[\^/, '['],
  [/\[(?!\^)/, '[^'],
  [/(?<!\\)\+/, ''],
  [/(?<!\\)\*/, '+'],
  [/\\d/, '\\D'],
  [/(?<!\\)\(\?!/, '(?='],
  [/(?<!\\)\(\?=/, '(?!'],
  [/(?<![\\(])\?(?![=!<:])/, ''],
]

/** Returns the replacements of an expression, all with another meaning. */
export function replacementsOf(node: ts.Expression): readonly ts.Expression[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node)
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return ofUnary(node)
  if (ts.isCallExpression(node)) return ofCall(node)
  if (ts.isArrayLiteralExpression(node)) {
    return node.elements.length === 0 ? [] : [factory.createArrayLiteralExpression()]
  }
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.length === 0 ? [] : [factory.createObjectLiteralExpression()]
  }
  return ofLiteral(node)
}

function ofBinary(node: ts.BinaryExpression): ts.Expression[] {
  const { left, operatorToken, right } = node
  if (operatorToken.kind === SyntaxKind.PlusToken && (isText(left) || isText(right))) return []
  const replacements = operators.get(operatorToken.kind) ?? []
  return replacements.map((operator) => factory.createBinaryExpression(left, operator, right))
}

function ofUnary(node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression): ts.Expression[] {
  const { operand, operator } = node
  if (operator === SyntaxKind.PlusPlusToken || operator === SyntaxKind.MinusMinusToken) {
    const other =
      operator === SyntaxKind.PlusPlusToken ? SyntaxKind.MinusMinusToken : SyntaxKind.PlusPlusToken
    return ts.isPrefixUnaryExpression(node)
      ? [factory.createPrefixUnaryExpression(other, operand)]
      : [factory.createPostfixUnaryExpression(operand, other)]
  }
  return operator === SyntaxKind.ExclamationToken || operator === SyntaxKind.MinusToken ? [operand] : []
}

function ofCall(node: ts.CallExpression): ts.Expression[] {
  if (!ts.isPropertyAccessExpression(node.expression) || ts.isOptionalChain(node)) return []
  const { expression: object, name } = node.expression
  if (removableMethods.has(name.text)) return [object]
  const other = otherMethods.get(name.text)
  if (other === undefined) return []
  return [
    factory.createCallExpression(
      factory.createPropertyAccessExpression(object, other),
      undefined,
      node.arguments,
    ),
  ]
}

function ofLiteral(node: ts.Expression): ts.Expression[] {
  if (node.kind === SyntaxKind.TrueKeyword) return [factory.createFalse()]
  if (node.kind === SyntaxKind.FalseKeyword) return [factory.createTrue()]
  if (ts.isNumericLiteral(node)) return [factory.createNumericLiteral(Number(node.text) + 1)]
  if (ts.isBigIntLiteral(node)) {
    return [factory.createBigIntLiteral(`${BigInt(node.text.replaceAll('_', '').slice(0, -1)) + 1n}n`)]
  }
  if (isText(node)) {
    const isEmpty = ts.isStringLiteralLike(node) && node.text === ''
    return [factory.createStringLiteral(isEmpty ? 'mutated' : '', true)]
  }
  if (node.kind === SyntaxKind.RegularExpressionLiteral)
    return ofPattern((node as ts.RegularExpressionLiteral).text)
  return []
}

function ofPattern(literal: string): ts.Expression[] {
  const end = literal.lastIndexOf('/')
  const source = literal.slice(1, end)
  const flags = literal.slice(end + 1)
  const sources = patternFragments.map(([chunk, other]) => source.replace(chunk, other))
  return sources
    .filter((changed) => changed !== source && changed !== '' && isPattern(changed, flags))
    .map((changed) => factory.createRegularExpressionLiteral(`/${changed}/${flags}`))
}

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).flags !== 'none'
  } catch {
    return false
  }
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

/** The constants that can replace a condition. */
export function truthsFor(node: ts.Expression): readonly boolean[] {
  const { parent } = node
  if (ts.isIfStatement(parent) && parent.expression === node) return [true, false]
  if (ts.isConditionalExpression(parent) && parent.condition === node) return [true, false]
  // An endless loop would only cost time.
  if ((ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && parent.expression === node) return [false]
  if (ts.isForStatement(parent) && parent.condition === node) return [false]
  if (!ts.isBinaryExpression(parent)) return []
  const { kind } = parent.operatorToken
  if (kind === SyntaxKind.AmpersandAmpersandToken) return [true]
  return kind === SyntaxKind.BarBarToken ? [false] : []
}

/** Replaces `a?.b` by `a.b` at every `?` of a chain. */
export function withoutQuestionMarks(chain: ts.Expression): ts.Expression[] {
  const links: ts.Node[] = []
  for (let link: ts.Node = chain; ts.isOptionalChain(link); link = link.expression) {
    if (markOf(link) !== undefined) links.push(link)
  }
  return links.map((link) => withoutQuestionMark(chain, link))
}

function withoutQuestionMark(node: ts.Expression, link: ts.Node): ts.Expression {
  if (!ts.isOptionalChain(node)) return node
  const expression = withoutQuestionMark(node.expression, link)
  const mark = node === link ? undefined : markOf(node)
  if (ts.isPropertyAccessExpression(node))
    return factory.createPropertyAccessChain(expression, mark, node.name)
  if (ts.isElementAccessExpression(node)) {
    return factory.createElementAccessChain(expression, mark, node.argumentExpression)
  }
  if (ts.isCallExpression(node)) return factory.createCallChain(expression, mark, undefined, node.arguments)
  return node
}

function markOf(node: ts.Node): ts.QuestionDotToken | undefined {
  return (node as Partial<ts.PropertyAccessChain>).questionDotToken
}
