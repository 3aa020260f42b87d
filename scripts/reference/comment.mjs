import ts from 'typescript'

/**
 * The comment of a declaration in parts. Of several comments the last one counts.
 *
 * @returns `text` and `tags`, each tag with its name, the parameter that it is about, and its text
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
  // The compiler takes the first word of `@throws TypeError when ...` for a type only where it stands in braces.
  if (name === 'typeParam') {
    const [about = '', ...rest] = joined(text).split(' ')
    return { name, about, text: rest.join(' ') }
  }
  return { name, about: undefined, text: name === 'example' ? text : joined(text) }
}

/** Links become code: `{@link Limits}` is `{@link Limits}` still, until a page knows what it links to. */
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

/** Lines that were broken for the width of the source are joined; paragraphs and lists stay. */
function joined(text) {
  return text
    .replace(/\r/g, '')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\n(?!\s*[-*] )\s*/g, ' ').trim())
    .join('\n\n')
    .trim()
}
