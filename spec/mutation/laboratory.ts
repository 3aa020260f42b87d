import { transform } from '@swc/core'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import type { Mutant } from './instrument.js'
import { instrument } from './instrument.js'

const notCopied = ['spec/bench', 'spec/clients', 'spec/databases', 'spec/mutation', 'lib/tools/explorer/page']

/** A compiled copy of the sources and specs with mutants, outside of the project. */
export class Laboratory {
  readonly folder = mkdtempSync(join(tmpdir(), 'mutation-'))
  readonly mutants: Mutant[] = []

  /**
   * @param root the folder of the project
   * @param targets files of `lib` to mutate, relative to the root
   */
  constructor(
    private readonly root: string,
    private readonly targets: ReadonlySet<string>,
  ) {}

  async fill(): Promise<void> {
    for (const name of ['lib', 'spec', 'sample-app', 'docs']) {
      cpSync(join(this.root, name), join(this.folder, name), {
        recursive: true,
        filter: (path) => !isLeftOut(relative(this.root, path).split(sep).join('/')),
      })
    }
    symlinkSync(join(this.root, 'node_modules'), join(this.folder, 'node_modules'))
    writeFileSync(join(this.folder, 'package.json'), '{}')
    const files = [...filesIn(this.folder, 'lib'), ...filesIn(this.folder, 'spec')]
    await Promise.all(files.filter((file) => /(?<!\.d)\.ts$/.test(file)).map((file) => this.compile(file)))
  }

  /** Resolves paths relative to `spec` to spec files. */
  specs(paths: readonly string[]): string[] {
    const files = paths.flatMap((path) =>
      path.endsWith('.ts') ? [join('spec', path)] : filesIn(this.folder, join('spec', path)),
    )
    return [...new Set(files)].filter((file) => isUnitSpec(file) && !this.needsJest(file)).sort()
  }

  private needsJest(file: string): boolean {
    return /\bjest\./.test(readFileSync(join(this.folder, file), 'utf8'))
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, maxRetries: 3 })
  }

  private async compile(file: string): Promise<void> {
    const path = join(this.folder, file)
    const text = readFileSync(path, 'utf8')
    const source = this.targets.has(file) ? instrument(file, text, this.mutants) : text
    const { code } = await transform(source, {
      filename: path,
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'commonjs' },
    })
    writeFileSync(path.replace(/ts$/, 'js'), code)
  }
}

function isLeftOut(path: string): boolean {
  return path.endsWith('node_modules') || notCopied.includes(path)
}

function isUnitSpec(file: string): boolean {
  return /(?<!\.(deep|check))\.spec\.ts$/.test(file)
}

/** The files below a folder, relative to the root. */
export function filesIn(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}
