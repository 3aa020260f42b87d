import { markAsUntransferable } from 'node:worker_threads'
import { areFreedOnceSent, free, freeOnceSent } from '../../lib/util/freed-bytes.js'

describe('Bytes that are freed once they are sent', () => {
  const bytes = (length = 20_000): Buffer => Buffer.allocUnsafeSlow(length)

  it('MUST be none after that', () => {
    const some = bytes()
    freeOnceSent(some)
    expect([areFreedOnceSent(some), some.length]).toEqual([true, 20_000])
    free(some)
    expect([areFreedOnceSent(some), some.length]).toEqual([false, 0])
  })

  it('MUST stay when nobody has said so', () => {
    const some = bytes()
    free(some)
    expect(some).toHaveLength(20_000)
  })

  it('MUST stay when others may have a part of the same memory', () => {
    const whole = bytes()
    freeOnceSent(whole.subarray(0, 19_999))
    expect(areFreedOnceSent(whole)).toBe(false)
  })

  it('MUST stay when they are to be sent more than once', () => {
    const some = bytes()
    for (const times of [2, 3]) {
      for (let time = 0; time < times; time++) freeOnceSent(some)
      free(some)
      expect(some).toHaveLength(20_000)
    }
  })

  it('MUST stay when they are few', () => {
    const few = bytes(1000)
    freeOnceSent(few)
    expect(areFreedOnceSent(few)).toBe(false)
  })

  it('MUST stay when their memory cannot be given away, and where threads share it', () => {
    const [pinned, shared] = [bytes(), new Uint8Array(new SharedArrayBuffer(20_000))]
    markAsUntransferable(pinned.buffer)
    for (const some of [pinned, shared]) {
      freeOnceSent(some)
      free(some)
      expect(some).toHaveLength(20_000)
    }
  })
})
