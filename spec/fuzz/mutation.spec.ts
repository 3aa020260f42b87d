import { join } from 'node:path'
import { checkPrototypes } from './mutation/check-input.js'
import { readCorpus } from './mutation/corpus.js'
import { dictionaries } from './mutation/dictionaries.js'
import { mutated } from './mutation/mutate.js'
import { runs, seed } from '../support/random.js'
import { parsers } from './mutation/parsers.js'

const corpusFolder = join(__dirname, 'corpus')
/** `npm run fuzz` tries more. */
const inputs = runs(2000)

describe.each(Object.keys(parsers) as (keyof typeof parsers)[])('Damaged input of %s', (name) => {
  const corpus = readCorpus(corpusFolder, name)
  const material = { corpus, dictionary: dictionaries[name] }

  async function check(input: string, place: string): Promise<void> {
    try {
      await parsers[name](input)
      checkPrototypes()
    } catch (error) {
      throw new Error(`${name}, ${place}: ${JSON.stringify(input)}`, { cause: error })
    }
  }

  it('MUST be rejected or parsed for all inputs of the corpus, which includes earlier failures', async () => {
    for (const input of corpus) await check(input, 'corpus')
  })

  it('MUST be rejected with a client error, or parsed to the same value after printing', async () => {
    for (let index = 0; index < inputs; index++) {
      await check(mutated(material, seed, index), `seed ${seed}, input ${index}`)
    }
  })
})
