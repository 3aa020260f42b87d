import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const reader = `
  const { parentPort, workerData } = require('node:worker_threads')
  require('node:http').get(workerData, (answer) => {
    let bytes = 0
    answer.on('data', (chunk) => { bytes += chunk.length })
    answer.on('end', () => parentPort.postMessage(bytes))
  })
`

/**
 * Reads an answer in another thread, which goes on while this one is busy.
 *
 * @returns how many bytes it had
 */
export async function readElsewhere(url: string): Promise<number> {
  const worker = new Worker(reader, { eval: true, workerData: url })
  try {
    const [bytes] = (await once(worker, 'message')) as [number]
    return bytes
  } finally {
    await worker.terminate()
  }
}
