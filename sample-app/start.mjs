/**
 * Starts the sample application with the built package. Bundles the application, which is TypeScript. It imports the
 * package by its name, as users do.
 */
import { build } from 'esbuild'

const outfile = 'dist/sample-app/server.mjs'

await build({
  entryPoints: ['sample-app/server.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  // Ignores tsconfig.json, which maps the name of the package to its sources.
  tsconfigRaw: {},
})
await import(`../${outfile}`)
