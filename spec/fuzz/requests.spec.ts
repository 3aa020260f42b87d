import { join } from 'node:path'
import { checkPrototypes } from './mutation/check-input.js'
import { readCorpus } from './mutation/corpus.js'
import { dictionaries } from './mutation/dictionaries.js'
import { mutated } from './mutation/mutate.js'
import { runs, seed } from '../support/random.js'
import { RequestTarget } from './mutation/request-target.js'

const corpus = readCorpus(join(__dirname, 'corpus'), 'request')
const inputs = runs(2000)

let target: RequestTarget
beforeAll(async () => {
  target = await RequestTarget.start()
})
afterAll(() => target.stop())

async function check(input: string, place: string): Promise<void> {
  try {
    await target.send(input)
    checkPrototypes()
  } catch (error) {
    throw new Error(`${place}: ${JSON.stringify(input)}`, { cause: error })
  }
}

describe('Damaged requests', () => {
  it('MUST get no server error for any input of the corpus, which includes earlier failures', async () => {
    for (const input of corpus) await check(input, 'corpus')
  })

  it('MUST always get a response, and never a server error', async () => {
    for (let index = 0; index < inputs; index++) {
      await check(
        mutated({ corpus, dictionary: dictionaries.request }, seed, index),
        `seed ${seed}, input ${index}`,
      )
    }
  })
})
