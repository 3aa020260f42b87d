import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An instruction of a guide. */
export type GuideStep =
  | { readonly kind: 'save'; readonly file: string; readonly content: string }
  | { readonly kind: 'run'; readonly commands: string }
  /** Commands whose last one runs until the end of the guide, and prints a line when it is ready. */
  | { readonly kind: 'start'; readonly commands: string }
  /** The output that the commands before it must have. */
  | { readonly kind: 'expect'; readonly output: string }
  /** The text that a page must show. */
  | { readonly kind: 'open'; readonly url: string; readonly output: string }

const fenced = /^```(\w*)\n(.*?)^```$/gms
const linked = /^First, .*\]\(([\w-]+\.md)#([\w-]+)\)/
const saved = /\bSave this as `([^`]+)`/
const opened = /^Open `(http:[^`]+)`.* shows:$/

/**
 * Reads the instructions of sections of a guide, in order:
 *
 * - "First, [create ...](page.md#heading)": all steps of this section of another guide,
 * - "Save this as `file`" before a block: the block is a file,
 * - `sh`: commands; after a line that begins with "Start", the last of them keeps running,
 * - `text` after a line with "prints": the output of the commands before it,
 * - `text` after "Open `http://...`. The page shows:": the text of this page in a browser.
 *
 * @param page name of a file in `docs`
 * @param headings of the sections
 * @throws if a section does not exist, or contains a block of another kind: no instruction may be left out
 */
export function guideSteps(page: string, headings: readonly string[]): GuideStep[] {
  const text = readFileSync(join('docs', page), 'utf8')
  return headings.flatMap((heading) =>
    stepsOfSection(sectionOf(text, page, heading), `${page}, '${heading}'`),
  )
}

function sectionOf(text: string, page: string, heading: string): string {
  const withoutCode = text.replace(fenced, (block) => block.replaceAll('\n#', '\n '))
  const start = withoutCode.indexOf(`\n## ${heading}\n`)
  if (start < 0) throw new Error(`docs/${page} has no section '${heading}'.`)
  const end = withoutCode.indexOf('\n## ', start + 1)
  return text.slice(start, end < 0 ? undefined : end)
}

function stepsOfSection(section: string, place: string): GuideStep[] {
  const steps: GuideStep[] = []
  let end = 0
  for (const block of section.matchAll(fenced)) {
    const [whole, language = '', code = ''] = block
    const paragraphs = section.slice(end, block.index).trim().split('\n\n')
    steps.push(...paragraphs.flatMap(linkedSteps), stepOf(language, code, paragraphs.at(-1) ?? '', place))
    end = block.index + whole.length
  }
  return steps
}

function linkedSteps(paragraph: string): GuideStep[] {
  const [, page, anchor] = linked.exec(paragraph) ?? []
  if (page === undefined || anchor === undefined) return []
  const headings = [...readFileSync(join('docs', page), 'utf8').matchAll(/^## (.+)$/gm)].map(
    ([, one = '']) => one,
  )
  return guideSteps(
    page,
    headings.filter((heading) => heading.toLowerCase().replaceAll(' ', '-') === anchor),
  )
}

function stepOf(language: string, code: string, paragraph: string, place: string): GuideStep {
  const [, file] = saved.exec(paragraph) ?? []
  if (file !== undefined) return { kind: 'save', file, content: code }
  if (language === 'sh') return { kind: paragraph.startsWith('Start') ? 'start' : 'run', commands: code }
  if (language === 'text' && paragraph.includes('prints')) return { kind: 'expect', output: code }
  const [, url] = opened.exec(paragraph) ?? []
  if (url !== undefined) return { kind: 'open', url, output: code }
  throw new Error(`docs/${place}: a block of '${language}' is neither a file nor commands nor output.`)
}
