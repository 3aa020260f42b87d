import { build } from 'esbuild'
import * as withExpress from '../lib/index.js'
import * as withoutExpress from '../lib/node.js'

describe('The entry without Express', () => {
  it('MUST have all exports of the main entry that do not need Express', () => {
    const { odataV2, ...others } = withExpress
    expect(typeof odataV2).toBe('function')
    expect({ ...withoutExpress }).toEqual(others)
  })

  it('MUST load nothing of Express', async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: ['lib/node.ts'],
      bundle: true,
      splitting: true,
      outdir: 'dist',
      packages: 'external',
      format: 'esm',
      platform: 'node',
      write: false,
      metafile: true,
    })
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports)
    const packages = imported.filter(({ external }) => external === true).map(({ path }) => path)
    expect(packages).toContain('saxes')
    expect(packages).not.toContain('express')
    expect(Object.keys(metafile.inputs)).not.toContain('lib/odata-v2.ts')
    expect(outputFiles.length).toBeGreaterThan(0)
  })
})
