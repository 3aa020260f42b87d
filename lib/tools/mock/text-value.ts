import { annotationValue, sapNamespace } from '../../edm/annotations.js'
import type { Property, StructuralType } from '../../edm/edm-model.js'
import type { Random } from './random.js'
import type { Subject } from './subject.js'
import * as words from './words.js'

/** What a property belongs to. */
export type Named = Pick<StructuralType, 'name'>

type MakeText = (subject: Subject, random: Random, longest: number) => string

const personName: MakeText = ({ givenName, familyName }) => `${givenName} ${familyName}`
const domain = ({ company }: Subject): string => `${company.split(' ')[0]?.toLowerCase() ?? ''}.example`

/** What the words in the name of a property mean; the first that fits counts. */
const meanings: readonly (readonly [meaning: RegExp, make: MakeText])[] = [
  [/\be ?mail\b/, (subject) => `${subject.givenName}.${subject.familyName}@${domain(subject)}`.toLowerCase()],
  [
    /\b(?:tel|phone|telephone|mobile|fax|cell)\b/,
    (_, random) => `+49 555 ${String(random.between(100_000, 999_999))}`,
  ],
  [/\b(?:url|uri|website|web|home ?page|link)\b/, (subject) => `https://www.${domain(subject)}/`],
  [/\b(?:first|given|fore) ?name\b/, ({ givenName }) => givenName],
  [/\b(?:last|family|sur) ?name\b/, ({ familyName }) => familyName],
  [/\b(?:currency|curr|waers)\b/, (_, random) => random.pick(words.currencies)],
  [/\b(?:unit|uom|meins)\b(?! price)/, (_, random) => random.pick(words.units)],
  [/\b(?:language|langu|spras)\b/, (_, random) => random.pick(words.languages)],
  [/\b(?:content|mime|media) ?type\b/, (_, random) => random.pick(words.mediaTypes)],
  [/\b(?:file|document) ?name\b/, ({ product }) => `${product.toLowerCase().replace(' ', '-')}.txt`],
  [/\b(?:city|town)\b/, ({ place }) => place.city],
  [
    /\b(?:country|nation|land1)\b/,
    ({ place }, _, longest) => (longest <= 3 ? place.countryCode : place.country),
  ],
  [/\b(?:zip|post|postal) ?(?:code)?\b|\bpostcode\b/, ({ place }) => place.postalCode],
  [/\b(?:region|province)\b/, ({ place }) => place.region],
  [
    /\b(?:street|address)\b/,
    (_, random) => `${String(random.between(1, 120))} ${random.pick(words.streets)}`,
  ],
  [/\b(?:courtesy|salutation)\b/, (_, random) => random.pick(words.courtesies)],
  [
    /\b(?:job|position|role|profession|(?:contact|employee|person) title)\b/,
    (_, random) => random.pick(words.jobs),
  ],
  [/\b(?:department|division)\b/, (_, random) => random.pick(words.departments)],
  [/\bcolou?r\b/, (_, random) => random.pick(words.colours)],
  [/\b(?:status|state)\b/, (_, random) => random.pick(words.statuses)],
  [/\bpriority\b/, (_, random) => random.pick(words.priorities)],
  [
    /\b(?:descriptions?|text|notes?|comments?|remarks?|summary|message|body|details?)\b/,
    (_, random) => random.pick(words.sentences),
  ],
  [/\b(?:id|no|number|code|key|type|sku|symbol|nr)$/, (_, random, longest) => codeOf(random, longest)],
  [/\b(?:contact|person|employee|user|author|owner|manager|by)\b/, personName],
  [/\b(?:company|supplier|customer|vendor|partner|organi[sz]ation|firm|shipper)\b/, ({ company }) => company],
  [/\bcategory\b/, (_, random) => random.pick(words.categories)],
  [/\b(?:product|item|material|article)\b/, ({ product }) => product],
]

/** The meanings that `sap:semantics` gives, in the words of the table above. */
const semantics: Readonly<Record<string, string>> = {
  givenname: 'given name',
  familyname: 'family name',
  name: 'person',
  'currency-code': 'currency',
  'unit-of-measure': 'unit',
  org: 'company',
  'org-unit': 'department',
  'org-role': 'role',
  note: 'note',
  zip: 'zip',
}

/** Names that say nothing without the name of the type: `Category/Name`. */
const general = /^(?:name|title|label|long name|short name|full name|display name)$/

/**
 * A text for a property, which its name, its label and SAP's semantics give an idea of.
 *
 * @returns a text that fits: no longer than `MaxLength`, and as long with `FixedLength`; all ASCII
 */
export function textFor(property: Property, owner: Named, subject: Subject, random: Random): string {
  const longest = typeof property.maxLength === 'number' ? property.maxLength : 200
  const text = meaningOf(property, owner)(subject, random, longest)
  return fitted(text, property, longest, random)
}

/** Found once for each property: there may be many rows. */
const found = new WeakMap<Property, Map<string, MakeText>>()

function meaningOf(property: Property, owner: Named): MakeText {
  const known = found.get(property) ?? new Map<string, MakeText>()
  found.set(property, known)
  const meaning = known.get(owner.name) ?? findMeaning(property, owner)
  known.set(owner.name, meaning)
  return meaning
}

function findMeaning(property: Property, owner: Named): MakeText {
  const semantic = annotationValue(property, sapNamespace, 'semantics') ?? ''
  const [kind = ''] = semantic.split(';')
  const name = wordsIn(property.name)
  const label = wordsIn(annotationValue(property, sapNamespace, 'label') ?? '')
  const hints = [
    Object.hasOwn(semantics, kind) ? (semantics[kind] ?? '') : wordsIn(kind),
    general.test(name) ? `${wordsIn(owner.name)} ${name}` : name,
    label,
  ]
  for (const hint of hints) {
    if (hint === '') continue
    const [, make] = meanings.find(([meaning]) => meaning.test(hint)) ?? []
    if (make !== undefined) return make
  }
  return plainText
}

const plainText: MakeText = (_, random, longest) =>
  longest < 4 ? codeOf(random, longest) : `${random.pick(words.plainWords)} ${random.pick(words.plainWords)}`

/** `CompanyName`, `COMPANY_NAME` and `Company name` are all the same words. */
function wordsIn(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z\d]+/g, ' ')
    .trim()
    .toLowerCase()
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const digits = '0123456789'

function codeOf(random: Random, longest: number): string {
  return (
    lettersOf(random, letters, Math.min(longest, 2)) + lettersOf(random, digits, Math.min(longest - 2, 4))
  )
}

function lettersOf(random: Random, alphabet: string, count: number): string {
  let text = ''
  while (text.length < count) text += alphabet[random.below(alphabet.length)] ?? ''
  return text
}

function fitted(text: string, { maxLength, fixedLength }: Property, longest: number, random: Random): string {
  const cut = text.length > longest ? text.slice(0, longest).trimEnd() : text
  if (fixedLength !== true || typeof maxLength !== 'number') return cut
  return cut.length === longest ? cut : lettersOf(random, letters, longest)
}
