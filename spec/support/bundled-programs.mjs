/** Programs of specs, which are written in TypeScript, made into scripts that Node runs. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * @param name of the folder that the scripts are in
 * @param entryPoints paths of programs; the script of `soak.ts` is `soak.mjs`
 * @param use is given the folder, which is gone when it is over
 */
export async function withBundledPrograms(name, entryPoints, use) {
  // Beside the dependencies of the project, so that they are found.
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, `${name}-`))
  try {
    await build({
      entryPoints,
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      alias: {
        'express-odata-v2/sql': join(root, 'lib/sql.ts'),
        'express-odata-v2': join(root, 'lib/index.ts'),
      },
      logLevel: 'warning',
    })
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
