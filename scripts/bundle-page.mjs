import { relative, resolve } from 'node:path'
import { build } from 'esbuild'

/**
 * Bundles the page of the explorer for browsers: one script and one style sheet.
 *
 * @returns path of each file below the folder of a format, and its code
 */
export async function bundlePage() {
  const { outputFiles } = await build({
    entryPoints: ['main.ts', 'explorer.css'].map((name) => ({
      in: `lib/tools/explorer/page/${name}`,
      out: 'explorer',
    })),
    outdir: 'tools/explorer',
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    tsconfig: 'lib/tools/explorer/page/tsconfig.json',
    charset: 'utf8',
    logLevel: 'warning',
  })
  return outputFiles.map(({ path, text }) => ({ path: relative(resolve('.'), path), text }))
}
