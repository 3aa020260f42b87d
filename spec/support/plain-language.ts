import ts from 'typescript'
import { forEachNode, parse } from './lib-sources.js'

/** Words that readers cannot search for, each with what to write instead. */
const avoidedPhrases: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\b(?:who|any)ever\b|\b(?:no|some|any)body\b/gi, instead: 'client, caller, user' },
  { pattern: /\b(?:he|him|himself|his)\b/gi, instead: 'client, caller, user; their' },
  { pattern: /\b(?:is|are) none\b/gi, instead: 'does not exist, is missing' },
  { pattern: /(?<!\bthere )\bis no (?!longer\b|more\b)/gi, instead: 'is not a valid' },
  { pattern: /\bso many\b/gi, instead: 'the number of' },
  { pattern: /\banswer(?:s|ed|ing)?\b/gi, instead: 'response, respond with' },
  { pattern: /\b(?:take|takes|taken|took) back\b/gi, instead: 'roll back' },
  { pattern: /\bat once\b/gi, instead: 'synchronously, at the same time, immediately' },
  { pattern: /\bkept\b/gi, instead: 'cached, retained, preserved' },
  { pattern: /\btold\b/gi, instead: 'called, notified, reported' },
  { pattern: /\bfaults?\b/gi, instead: 'error, bug, violation' },
  { pattern: /\b(?:give|gives|given|gave) up\b|\b(?:break|broken) off\b/gi, instead: 'abort, cancel' },
  { pattern: /\bby hand\b/gi, instead: 'hand-coded' },
  { pattern: /\bof the processor\b|\bprocessor time\b/gi, instead: 'CPU time' },
  // The option `languages` has a member of this name.
  { pattern: /\btexts\b(?!: \{)/gi, instead: 'strings' },
  { pattern: /\bof which\b/gi, instead: 'a sentence of its own' },
  { pattern: /\basked\b/gi, instead: 'called, requested' },
  { pattern: /\bbeside\b/gi, instead: 'next to, in addition to, together with' },
  { pattern: /\bpieces?\b/gi, instead: 'chunk, part' },
]

/** Words of titles that hide who does what. */
const avoidedInTitles: typeof avoidedPhrases = [
  { pattern: /\bwhat\b/gi, instead: 'a noun' },
  { pattern: /\b(?:MUST|MAY) (?:not )?(?:say|tell|know)\b/gi, instead: 'return, report, publish, support' },
  { pattern: /\bbut for\b/gi, instead: 'except for' },
  { pattern: /\bnothing else\b/gi, instead: 'no other, by default' },
  { pattern: /\banew\b/gi, instead: 'again' },
]

/** Comments must start with a noun or a verb, so that they are clear in a tooltip. */
const avoidedOpening = /^(?:What|Whether|The same)\b/

interface Finding {
  readonly place: string
  readonly text: string
}

/** Finds avoided phrases in a text. */
export function avoidedIn(text: string, phrases = avoidedPhrases): string[] {
  return phrases.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(
      ({ 0: found, index }) =>
        `'${text.slice(Math.max(0, index - 20), index + found.length + 20).replace(/\s+/g, ' ')}' (write: ${instead})`,
    ),
  )
}

/** Returns the prose of a Markdown document, without code. */
export function proseOf(markdown: string): string {
  return markdown
    .replace(/^```.*?^```$/gms, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
}

/** Finds avoided phrases and openings in the comments of a file. */
export function findingsInComments(path: string): Finding[] {
  const { syntax } = parse(path)
  return commentsOf(syntax).flatMap((comment) => {
    const opening = avoidedOpening.test(comment) ? [`opens with '${comment.slice(0, 30)}'`] : []
    return [...opening, ...avoidedIn(comment)].map((text) => ({ place: path, text }))
  })
}

/** Docstrings of functions start with a verb: `Returns`, or `Called` for methods that applications implement. */
const verbFirst = /^(?:\w+-)?\w+s\b|^Called\b/

/** Plural nouns that look like a verb. */
const pluralFirst =
  /^(?:Annotations|Browsers|Clients|Columns|Conditions|Databases|Documents|Elements|Entities|Headers|Its|Members|Names that|Numbers|Parameters|Properties|Proxies|Rows|Servers|Strings|Sums|This|Types|Values|Versions|Was|Is|Does not)\b/

/** Finds docstrings of functions that start with a reason or a noun instead of a summary. */
export function findingsInSummaries(path: string): Finding[] {
  const findings: Finding[] = []
  forEachNode(parse(path).syntax, (node) => {
    const comment = isNamedFunction(node)
      ? ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1)
      : undefined
    const text = ts.getTextOfJSDocComment(comment?.comment) ?? ''
    if (text === '' || (verbFirst.test(text) && !pluralFirst.test(text))) return
    findings.push({ place: path, text: `starts with '${text.slice(0, 40)}'` })
  })
  return findings
}

function isNamedFunction(node: ts.Node): boolean {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.some(
      ({ initializer }) => initializer !== undefined && ts.isArrowFunction(initializer),
    )
  }
  return ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node)
}

/** Returns the text of each comment; successive lines are one comment. */
function commentsOf(syntax: ts.SourceFile): string[] {
  const source = syntax.getFullText()
  const ranges = new Map<number, ts.CommentRange>()
  forEachNode(syntax, (node) => {
    const found = [
      ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
    ]
    for (const range of found) ranges.set(range.pos, range)
  })
  const comments: string[] = []
  let end = -1
  for (const range of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const text = source
      .slice(range.pos, range.end)
      .replace(/^\/\*\*?|\*\/$|^\s*\* ?|^\/\/ ?/gm, '')
      .replace(/`[^`]*`/g, '')
      .trim()
    const continues =
      range.kind === ts.SyntaxKind.SingleLineCommentTrivia &&
      /^\r?\n[ \t]*$/.test(source.slice(end, range.pos))
    if (continues && comments.length > 0) comments.push(`${comments.pop() ?? ''} ${text}`)
    else comments.push(text)
    end = range.kind === ts.SyntaxKind.SingleLineCommentTrivia ? range.end : -1
  }
  return comments
}

/** Finds avoided phrases in the strings of a file that are sentences. */
export function findingsInMessages(path: string): Finding[] {
  const findings: Finding[] = []
  forEachNode(parse(path).syntax, (node) => {
    const text = textOf(node)
    if (text === undefined || !/[a-z] [a-z]/.test(text)) return
    findings.push(...avoidedIn(text).map((found) => ({ place: path, text: found })))
  })
  return findings
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) return node.text
  return undefined
}

/** Finds avoided phrases in the titles of the tests of a file. */
export function findingsInTitles(path: string): Finding[] {
  const findings: Finding[] = []
  forEachNode(parse(path).syntax, (node) => {
    if (!ts.isCallExpression(node)) return
    const [title] = node.arguments
    if (title === undefined || !/^(?:it|describe|test)\b/.test(node.expression.getText())) return
    const text = textOf(title)
    if (text === undefined) return
    const avoided = avoidedIn(text, [...avoidedPhrases, ...avoidedInTitles])
    findings.push(...avoided.map((found) => ({ place: path, text: found })))
  })
  return findings
}
