/**
 * Starts the sample application on the package as it was built. The application is TypeScript and is compiled here;
 * it finds the library by the name under which everybody imports it.
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
  // Not the sources, to which tsconfig.json maps the name for the type checker.
  tsconfigRaw: {},
})
await import(`../${outfile}`)
