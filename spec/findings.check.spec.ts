import { readdirSync, readFileSync, statSync } from 'node:fs'

const scripts = readdirSync('findings').filter((name) => name !== 'README.md')

describe('A finding', () => {
  it('MUST exist', () => {
    expect(scripts).not.toEqual([])
  })

  it.each(scripts)('MUST be an executable script: %s', (name) => {
    expect(name).toMatch(/^[a-z0-9-]+\.sh$/)
    expect(statSync(`findings/${name}`).mode & 0o111).not.toBe(0)
  })

  it.each(scripts)(
    'MUST begin with a statement, install pinned versions and remove its folder: %s',
    (name) => {
      const script = readFileSync(`findings/${name}`, 'utf8')
      expect(script).toMatch(/^#!\/usr\/bin\/env bash\n# /)
      expect(script).toContain('mktemp -d')
      expect(script).toMatch(/trap .*EXIT/)
      // A version after each package name of an npm install.
      const installed = [...script.matchAll(/\bnpm (?:install|i)\b([^\n|&;>]*)/g)].flatMap(([, words]) =>
        (words ?? '').split(/\s+/).filter((word) => /^@?[a-z]/.test(word)),
      )
      expect(installed.filter((word) => !/[^@]@\d+\.\d+\.\d+/.test(word))).toEqual([])
    },
  )

  it.each(scripts)('MUST NOT run this package: %s', (name) => {
    expect(readFileSync(`findings/${name}`, 'utf8')).not.toMatch(/express-odata-v2|dist\/(?:esm|cjs)/)
  })
})
