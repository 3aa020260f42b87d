import { crc32 as builtIn } from 'node:zlib'
import { crc32, crc32ByTable } from '../../../lib/formats/xlsx/zip-writer.js'
import { fc, runs } from '../../support/random.js'

describe('The checksum CRC-32', () => {
  it.each([crc32, crc32ByTable])('MUST have the check value of the standard', (checksum) => {
    expect(checksum(Buffer.from('123456789'))).toBe(0xcbf43926)
    expect(checksum(Buffer.alloc(0))).toBe(0)
  })

  it('MUST be that of Node.js where Node.js has none, also in parts', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (first, second) => {
        const whole = builtIn(Buffer.concat([first, second]))
        expect(crc32ByTable(second, crc32ByTable(first))).toBe(whole)
      }),
      { numRuns: runs(200) },
    )
  })
})
