import { defineModel, edm } from '../../../lib/index.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'
import { createTables } from './model-tables.js'

/** Words, with their upper and lower case as JavaScript has them. */
export function wordModel() {
  return defineModel({
    namespace: 'W',
    entityTypes: {
      Word: {
        key: ['ID'],
        properties: {
          ID: edm.Int32({ nullable: false }),
          Text: edm.String(),
          Upper: edm.String(),
          Lower: edm.String(),
        },
      },
    },
    entityContainer: { entitySets: { Words: { entityType: 'Word' } } },
  })
}

interface Word {
  readonly ID: number
  readonly Text: string | null
  readonly Upper: string | null
  readonly Lower: string | null
}

export function wordsOf(texts: readonly (string | null)[]): Word[] {
  return texts.map((text, index) => ({
    ID: index + 1,
    Text: text,
    Upper: text?.toUpperCase() ?? null,
    Lower: text?.toLowerCase() ?? null,
  }))
}

/** Returns strings with all characters that databases can store of the planes of Unicode that have letters with cases. */
export function casedPlanes(): string[] {
  const texts: string[] = []
  let text = ''
  for (let point = 1; point <= 0x1ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue
    text += String.fromCodePoint(point)
    if (text.length >= 500) {
      texts.push(text)
      text = ''
    }
  }
  return [...texts, text]
}

/** Creates the table of the words. */
export async function fillWords(db: AnyDatabase, kind: DatabaseKind, words: readonly Word[]): Promise<void> {
  await createTables(db, wordModel(), kind)
  for (let start = 0; start < words.length; start += 500) {
    await db
      .insertInto('Words')
      .values(words.slice(start, start + 500).map((word) => ({ ...word })))
      .execute()
  }
}
