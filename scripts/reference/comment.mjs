import ts from 'typescript'

/**
 * Parses the docstring of a declaration. If it has several, the last one is used.
 *
 * @returns `text` and `tags`: the name of each tag, the parameter that it describes, and its text
 */
export function commentOf(node) {
  const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1)
  if (comment === undefined) return { text: '', tags: [] }
  return {
    text: joined(textOf(comment.comment)),
    tags: (comment.tags ?? []).map(tagOf),
  }
}

function tagOf(tag) {
  const name = tag.tagName.text
  const text = textOf(tag.comment)
  if (ts.isJSDocParameterTag(tag)) return { name, about: tag.name.getText(), text: joined(text) }
  // In `@throws TypeError when ...`, the compiler parses a type only if it is in braces.
  if (name === 'typeParam') {
    const [about = '', ...rest] = joined(text).split(' ')
    return { name, about, text: rest.join(' ') }
  }
  return { name, about: undefined, text: name === 'example' ? text : joined(text) }
}

/** Returns the text of a comment. `{@link Limits}` remains as it is; pages replace it. */
function textOf(comment) {
  if (comment === undefined) return ''
  if (typeof comment === 'string') return comment
  return comment
    .map((part) => {
      if (part.kind === ts.SyntaxKind.JSDocText) return part.text
      return `{@link ${part.name?.getText() ?? ''}${part.text}}`
    })
    .join('')
}

/** Joins wrapped lines, but not paragraphs and list items. */
function joined(text) {
  return text
    .replace(/\r/g, '')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\n(?!\s*[-*] )\s*/g, ' ').trim())
    .join('\n\n')
    .trim()
}
