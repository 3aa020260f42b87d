import { ServiceTimer } from '../../../lib/providers/upstream/service-timer.js'

const chunk = new Uint8Array(1)

/** Returns as many chunks as are requested, each after a time of the client or the service. */
async function* chunksAfter(milliseconds: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    jest.advanceTimersByTime(milliseconds)
    yield await Promise.resolve(chunk)
  }
}

describe('The time limit of an upstream service', () => {
  let timer: ServiceTimer
  beforeEach(() => {
    jest.useFakeTimers()
    timer = new ServiceTimer(1_000, () => undefined)
    timer.start()
  })
  afterEach(() => {
    timer.stop()
    jest.useRealTimers()
  })

  async function take(chunks: AsyncGenerator<Uint8Array>, pause: number): Promise<void> {
    for (let count = 0; count < 5; count++) {
      await chunks.next()
      jest.advanceTimersByTime(pause)
    }
  }

  it('MUST restart with each chunk of an upload', async () => {
    await take(timer.sending(chunksAfter(0)), 900)
    expect(timer.isOver).toBe(false)
  })

  it('MUST not include the time of a client that is slow to send', async () => {
    await take(timer.sending(chunksAfter(5_000)), 0)
    expect(timer.isOver).toBe(false)
  })

  it('MUST end an upload that the service does not accept', async () => {
    await take(timer.sending(chunksAfter(0)), 1_001)
    expect(timer.isOver).toBe(true)
  })

  it('MUST restart with each chunk of a download', async () => {
    timer.respond()
    await take(timer.receiving(chunksAfter(900)), 0)
    expect(timer.isOver).toBe(false)
  })

  it('MUST not include the time of a client that is slow to receive', async () => {
    timer.respond()
    await take(timer.receiving(chunksAfter(0)), 5_000)
    expect(timer.isOver).toBe(false)
  })

  it('MUST end a download that the service does not continue', async () => {
    timer.respond()
    await take(timer.receiving(chunksAfter(1_001)), 0)
    expect(timer.isOver).toBe(true)
  })
})
