import type { ExpressionSyntax } from '../../lib/uri/syntax-tree.js'

/** A syntax tree as text with every grouping in parentheses: `(and (eq A 1) (call f 'x'))`. */
export function shapeOf(tree: ExpressionSyntax): string {
  switch (tree.kind) {
    case 'Literal':
      return tree.form === 'String' ? `'${tree.text}'` : tree.text
    case 'Path':
      return (tree.root === undefined ? '' : `${shapeOf(tree.root)}/`) + tree.names.join('/')
    case 'Call':
      return `(${['call', tree.name, ...tree.arguments.map(shapeOf)].join(' ')})`
    case 'Unary':
      return `(${tree.operator} ${shapeOf(tree.operand)})`
    case 'Binary':
      return `(${tree.operator} ${shapeOf(tree.left)} ${shapeOf(tree.right)})`
  }
}
