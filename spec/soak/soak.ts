import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readCorpus } from '../fuzz/mutation/corpus.js'
import { Random, seedOf } from '../fuzz/mutation/random.js'
import { Load } from './load.js'
import type { Measurement } from './measurement.js'
import { errorsOf, report } from './report.js'

/** The number of concurrent clients, and how often the service is measured after the first part. */
const clients = 10
const rounds = 5

const [script = '', corpusFolder = '', minutes = '1', seed = '1'] = process.argv.slice(2)

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'))
  mkdirSync(join(folder, 'files'))
  const service = fork(script, [folder], { execArgv: ['--expose-gc'] })
  const [{ port }] = (await once(service, 'message')) as [{ port: number }]
  const load = new Load(port, readCorpus(corpusFolder, 'request'), Number(seed))

  async function measure(): Promise<Measurement> {
    for (let times = 0; ; times++) {
      service.send('measure')
      const [{ measurement }] = (await once(service, 'message')) as [{ measurement: Measurement }]
      if (measurement.connections === 0 || times === 20) return measurement
      await delay(200)
    }
  }

  // Caches that are filled once and never evicted are filled in the first part.
  const time = (Number(minutes) * 60_000) / (rounds + 1)
  const measurements: Measurement[] = []
  for (let round = 0; round <= rounds; round++) {
    const end = Date.now() + time
    const work = async (client: number): Promise<void> => {
      const random = new Random(seedOf(Number(seed), round * clients + client))
      while (Date.now() < end && service.exitCode === null) await load.one(random)
    }
    await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
    if (service.exitCode !== null) throw new Error(`The service ended with ${service.exitCode}.`)
    measurements.push(await measure())
    console.log(report(round, load.requests, measurements))
  }
  const exited = once(service, 'exit')
  service.disconnect()
  await exited
  rmSync(folder, { recursive: true })
  const errors = errorsOf(load, measurements)
  for (const [kind, counts] of load.statuses) {
    console.log(`${kind}: ${[...counts].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
  }
  console.log(errors.length === 0 ? 'No leaks, no faults.' : errors.join('\n'))
  process.exitCode = errors.length === 0 ? 0 : 1
}

void main()
