import { sapAnnotation } from '../../edm/annotations.js'
import type { Property, StructuralType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { integerRanges } from '../../edm/primitive-types/integer.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { allowedStrings } from '../../edm/vocabularies/allowed-values.js'
import type { Random } from './random.js'
import type { Subject } from './words.js'
import * as words from './words.js'

/** Ranges of numbers for property names. */
const numberPatterns: readonly (readonly [meaning: RegExp, least: number, greatest: number])[] = [
  [/latitude/i, -60, 60],
  [/longitude/i, -170, 170],
  [/rating|stars|score/i, 1, 5],
  [/discount/i, 0, 0.25],
  [/percent|rate$|ratio/i, 0, 100],
  [/year/i, 2020, 2026],
  [/month/i, 1, 12],
  [/(?:^|[a-z])Day$|^day$/, 1, 28],
  [/^age|Age$/, 18, 80],
  [/quantity|stock|count|onorder|level|menge|number/i, 0, 100],
  [/price|amount|total|cost|value|freight|salary|budget|netwr/i, 1, 900],
]

const ranges: Partial<Record<string, readonly [least: number, greatest: number]>> = integerRanges

/** The maximum nesting of complex values. */
const MAX_DEPTH = 6
const DAY_MS = 86_400_000
/** Generated dates lie before this constant, so that data do not depend on the current time. */
const now = Date.UTC(2026, 0, 1)

/** Generates a primitive or complex value. Nullable properties are sometimes null. */
export function valueFor(
  property: Property,
  owner: Named,
  subject: Subject,
  random: Random,
  depth = 0,
): unknown {
  const { type, nullable } = property
  if (!isPrimitive(type)) {
    if (depth >= MAX_DEPTH) return null
    return Object.fromEntries(
      type.properties.map((one) => [one.name, valueFor(one, type, subject, random, depth + 1)]),
    )
  }
  if (nullable && random.chance(0.05)) return null
  if (type === 'Edm.String') return stringFor(property, owner, subject, random)
  if (type === 'Edm.Binary') return bytesFor(property, random)
  return primitiveTypes[type].parse(textOfType(type, property, random))
}

function textOfType(type: PrimitiveTypeName, property: Property, random: Random): string {
  switch (type) {
    case 'Edm.Boolean':
      return String(random.chance(0.5))
    case 'Edm.Guid':
      return guidText(random)
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return new Date(millisecondsFor(property, random)).toISOString()
    case 'Edm.Time':
      return `${two(random.between(6, 20))}:${two(random.below(4) * 15)}:00`
    default:
      return numberFor(property, random)
  }
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}

function millisecondsFor(property: Property, random: Random): number {
  const isBirth = /birth|born/i.test(property.name)
  const days = isBirth ? random.between(20 * 365, 60 * 365) : random.between(1, 3 * 365)
  const isDay =
    isBirth ||
    sapAnnotation(property, 'display-format') === 'Date' ||
    /(?:^d|D)ate$|birth/.test(property.name)
  return now - days * DAY_MS + (isDay ? 0 : random.below(24 * 60) * 60_000)
}

/** Generates a GUID of version 4. */
export function guidText(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16))
  hex[12] = '4'
  hex[16] = (8 + random.below(4)).toString(16)
  const part = (from: number, to: number): string => hex.slice(from, to).join('')
  return [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join('-')
}

function bytesFor({ maxLength, fixedLength }: Property, random: Random): Uint8Array {
  const longest = typeof maxLength === 'number' ? maxLength : 8
  return Uint8Array.from({ length: fixedLength === true ? longest : Math.min(8, longest) }, () =>
    random.below(256),
  )
}

/** Generates a number within the range of the type and the facets, as a string. */
function numberFor(property: Property, random: Random): string {
  const { name, type } = property
  const [, least, greatest] = numberPatterns.find(([meaning]) => meaning.test(name)) ?? [name, 1, 1000]
  const [lowest, highest] = (isPrimitive(type) ? ranges[type] : undefined) ?? [-Infinity, Infinity]
  const value = Math.min(highest, Math.max(lowest, least + random.next() * (greatest - least)))
  if (type === 'Edm.Decimal') return decimalText(value, property)
  return type === 'Edm.Double' || type === 'Edm.Single' ? value.toFixed(2) : String(Math.round(value))
}

/** Formats a decimal within precision and scale; surplus leading digits are dropped. */
function decimalText(value: number, { precision, scale }: Property): string {
  const behind = Math.max(0, Math.min(scale ?? 2, precision ?? 2, 2))
  const before = precision === undefined ? 15 : Math.max(0, precision - (scale ?? behind))
  const limit = 10 ** Math.min(before, 15)
  const text = (Math.abs(value) % limit).toFixed(behind)
  // Rounding may have added a digit: 9.99 is 10.0.
  const rounded = Number(text) < limit ? text : (0).toFixed(behind)
  return value < 0 ? `-${rounded}` : rounded
}

/** The type or function that declares a property. */
type Named = Pick<StructuralType, 'name'>

type StringGenerator = (subject: Subject, random: Random, longest: number) => string

const personName: StringGenerator = ({ givenName, familyName }) => `${givenName} ${familyName}`

const domain = ({ company }: Subject): string => `${company.split(' ')[0]?.toLowerCase() ?? ''}.example`

/** Picks a sentence that fits, or words. */
const sentence: StringGenerator = (subject, random, longest) =>
  random.anyOf(words.sentences.filter(({ length }) => length <= longest)) ??
  plainText(subject, random, longest)

/** Generators for the words in the name of a property; the first match wins. */
const stringPatterns: readonly (readonly [meaning: RegExp, make: StringGenerator])[] = [
  // Flags of SAP systems have one character.
  [
    /^(?:is|has)\b/,
    (subject, random, longest) =>
      longest === 1 ? (random.chance(0.5) ? 'X' : '') : plainText(subject, random, longest),
  ],
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
  [/\b(?:country|nation) (?:code|key|iso)\b/, ({ place }) => place.countryCode],
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
  [/\bcolou?r\b/, (_, random) => random.pick(words.colors)],
  [/\b(?:status|state)\b/, (_, random) => random.pick(words.statuses)],
  [/\bpriority\b/, (_, random) => random.pick(words.priorities)],
  [/\b(?:descriptions?|text|notes?|comments?|remarks?|summary|message|body|details?)\b/, sentence],
  [/\b(?:id|no|number|code|key|type|sku|symbol|nr)$/, (_, random, longest) => codeOf(random, longest)],
  [/\b(?:contact|person|employee|user|author|owner|manager|by)\b/, personName],
  [/\b(?:company|supplier|customer|vendor|partner|organi[sz]ation|firm|shipper)\b/, ({ company }) => company],
  [/\bcategory\b/, (_, random) => random.pick(words.categories)],
  [/\b(?:product|item|material|article)\b/, ({ product }) => product],
]

/** Maps `sap:semantics` to words that the patterns above match. */
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

/** Names that are only meaningful together with the name of their type: `Category/Name`. */
const general = /^(?:name|title|label|long name|short name|full name|display name)$/

/**
 * Generates a string that matches the name, label and `sap:semantics` of a property.
 *
 * @returns ASCII within `MaxLength`, and of that length with `FixedLength`
 */
function stringFor(property: Property, owner: Named, subject: Subject, random: Random): string {
  const members = allowedStrings(property)
  if (members !== undefined) return random.pick(members)
  const longest = typeof property.maxLength === 'number' ? property.maxLength : 200
  const text = meaningOf(property, owner)(subject, random, longest)
  return fitted(text, property, longest, random)
}

/** Caches the generator of each property. */
const found = new WeakMap<Property, Map<string, StringGenerator>>()

function meaningOf(property: Property, owner: Named): StringGenerator {
  const known = found.get(property) ?? new Map<string, StringGenerator>()
  found.set(property, known)
  const meaning = known.get(owner.name) ?? findMeaning(property, owner)
  known.set(owner.name, meaning)
  return meaning
}

function findMeaning(property: Property, owner: Named): StringGenerator {
  const semantic = sapAnnotation(property, 'semantics') ?? ''
  const [kind = ''] = semantic.split(';')
  const name = wordsIn(property.name)
  const label = wordsIn(sapAnnotation(property, 'label') ?? '')
  const hints = [
    Object.hasOwn(semantics, kind) ? (semantics[kind] ?? '') : wordsIn(kind),
    general.test(name) ? `${wordsIn(owner.name)} ${name}` : name,
    label,
  ]
  for (const hint of hints) {
    if (hint === '') continue
    const [, make] = stringPatterns.find(([meaning]) => meaning.test(hint)) ?? []
    if (make !== undefined) return make
  }
  return plainText
}

const plainText: StringGenerator = (_, random, longest) =>
  longest < 4 ? codeOf(random, longest) : `${random.pick(words.plainWords)} ${random.pick(words.plainWords)}`

/** Normalizes `CompanyName`, `COMPANY_NAME` and `Company name` to `company name`. */
export function wordsIn(name: string): string {
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
