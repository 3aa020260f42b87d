import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** The paths of the files of the repository that a document links to. Pictures are only in the repository. */
function linksIn(document: string): readonly string[] {
  const text = readFileSync(document, 'utf8')
  return [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:|\/pictures\//.test(target))
    .map((target) => posix.normalize(posix.join(posix.dirname(document), target)))
}

describe('The package', () => {
  it('MUST contain the files that its documents link to', () => {
    const words = ['pack', '--dry-run', '--json', '--ignore-scripts']
    const output = execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const [packed] = JSON.parse(output) as { readonly files: readonly { readonly path: string }[] }[]
    const files = (packed?.files ?? []).map(({ path }) => path)
    const documents = files.filter((file) => file.endsWith('.md'))
    expect(documents.length).toBeGreaterThan(20)
    const dead = documents.flatMap((file) =>
      linksIn(file).filter((target) => !files.some((one) => one === target || one.startsWith(`${target}/`))),
    )
    expect(dead).toEqual([])
  })
})
