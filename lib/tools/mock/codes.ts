import { sapAnnotation } from '../../edm/annotations.js'
import type { Property } from '../../edm/edm-model.js'
import { wordsIn } from './property-value.js'

/** Codes of ISO 4217, ISO 3166, ISO 639 and of units for the keys of their entity sets. */
const codeLists: readonly (readonly [name: string, semantics: string, codes: string])[] = [
  [
    'currency',
    'currency-code',
    'EUR USD GBP JPY CHF SEK INR BRL CAD AUD CNY DKK NOK PLN CZK HUF MXN SGD ZAR KRW',
  ],
  ['country', '', 'DE FR PT IT ES AT GB US CA JP IN BR CH SE NL BE DK NO PL AU'],
  ['language', '', 'EN DE FR ES PT IT JA NL SV DA NB PL CS HU ZH KO TR FI EL RO'],
  ['unit', 'unit-of-measure', 'PC KG L M BOX SET H G T ML CM MM KM DAY MIN M2 M3 PAL CAR ROL'],
]

const found = new WeakMap<Property, readonly string[]>()

/** Returns the codes that a key of strings has by its name or `sap:semantics`; none for other keys. */
export function codesFor(property: Property): readonly string[] {
  const known = found.get(property) ?? findCodes(property)
  found.set(property, known)
  return known
}

function findCodes(property: Property): readonly string[] {
  const { maxLength, fixedLength } = property
  const name = wordsIn(property.name).replace(/ (?:code|key|iso|iso code|of measure)$/, '')
  const [, , codes = ''] =
    codeLists.find(([one, semantics]) => {
      return one === name || (semantics !== '' && sapAnnotation(property, 'semantics') === semantics)
    }) ?? []
  const longest = typeof maxLength === 'number' ? maxLength : Infinity
  return codes
    .split(' ')
    .filter(
      (code) => code !== '' && (fixedLength === true ? code.length === longest : code.length <= longest),
    )
}
