import { execFileSync } from 'node:child_process'
import { shellQuoted } from '../../sample-app/shell-quoted.js'

describe('An address that npm start prints', () => {
  it.each([
    'http://localhost:4004/v1/files/$metadata',
    "http://localhost:4004/v1/files/Files('%2F')/Files?$orderby=name&$format=json",
    'http://localhost:4004/v2/northwind/Products?$filter=UnitPrice gt 50&$expand=Category',
    'http://localhost:4004/v2/northwind/',
  ])('MUST be a single word of a shell: %s', (address) => {
    const word = execFileSync('sh', ['-c', `printf %s ${shellQuoted(address)}`], { encoding: 'utf8' })
    expect(decodeURIComponent(word.trimEnd())).toBe(decodeURIComponent(address))
  })

  it('MUST stay readable when no quotes are required', () => {
    expect(shellQuoted('http://localhost:4004/v1/files/Files')).toBe('http://localhost:4004/v1/files/Files')
  })
})
