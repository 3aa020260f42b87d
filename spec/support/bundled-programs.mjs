import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * Bundles TypeScript programs of specs into scripts that Node.js can run.
 *
 * @param name prefix of the temporary folder that contains the scripts
 * @param entryPoints paths of programs; the script of `soak.ts` is `soak.mjs`
 * @param use called with the folder, which is removed afterwards
 */
export async function withBundledPrograms(name, entryPoints, use) {
  // The scripts can import dependencies of the project only from a folder inside of it.
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
