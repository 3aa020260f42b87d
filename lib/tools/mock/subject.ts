import type { Random } from './random.js'
import type { Place } from './words.js'
import * as words from './words.js'

/** What the texts of one entity are about, so that its first name, its e-mail and its city agree. */
export interface Subject {
  readonly givenName: string
  readonly familyName: string
  readonly place: Place
  readonly company: string
  readonly product: string
}

/** A person, a company and a product in a place. */
export function anySubject(random: Random): Subject {
  const name = `${random.pick(words.companyNames)} ${random.pick(words.companyKinds)}`
  return {
    givenName: random.pick(words.givenNames),
    familyName: random.pick(words.familyNames),
    place: random.pick(words.places),
    company: `${name} ${random.pick(words.legalForms)}`,
    product: `${random.pick(words.qualities)} ${random.pick(words.productKinds)}`,
  }
}
