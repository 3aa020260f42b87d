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
 * Reads a response in a worker thread, which continues while this thread is busy.
 *
 * @returns the number of bytes
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
