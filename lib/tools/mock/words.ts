import type { Random } from './random.js'

/** A list that is never empty. All strings are ASCII, so that they fit into every Edm.String. */
type Words = readonly [string, ...string[]]

/** Splits a list of words at its commas. */
function list(commaSeparated: string): Words {
  const [first = '', ...others] = commaSeparated.trim().split(/,\s+/)
  return [first, ...others]
}

const givenNames = list(`
  Ada, Amir, Bela, Carla, Chen, Dario, Elif, Emma, Farid, Greta, Hana, Igor, Jonas, Kenji, Leila,
  Lucas, Maria, Nadia, Oscar, Priya, Rosa, Samuel, Tara, Yusuf
`)

const familyNames = list(`
  Adams, Bauer, Costa, Demir, Eriksen, Fischer, Garcia, Hassan, Ito, Jansen, Kumar, Larsen, Moreau,
  Novak, Okafor, Perez, Rossi, Silva, Tanaka, Usman, Vogel, Weber
`)

/** Places whose city, region, country and postal code match. */
const places: readonly [Locality, ...Locality[]] = [
  { city: 'Berlin', region: 'BE', countryCode: 'DE', country: 'Germany', postalCode: '10115' },
  { city: 'Hamburg', region: 'HH', countryCode: 'DE', country: 'Germany', postalCode: '20095' },
  { city: 'Lyon', region: 'ARA', countryCode: 'FR', country: 'France', postalCode: '69001' },
  { city: 'Porto', region: 'NO', countryCode: 'PT', country: 'Portugal', postalCode: '4000-001' },
  { city: 'Turin', region: 'PIE', countryCode: 'IT', country: 'Italy', postalCode: '10121' },
  { city: 'Seville', region: 'AN', countryCode: 'ES', country: 'Spain', postalCode: '41001' },
  { city: 'Graz', region: 'ST', countryCode: 'AT', country: 'Austria', postalCode: '8010' },
  { city: 'Leeds', region: 'ENG', countryCode: 'GB', country: 'United Kingdom', postalCode: 'LS1 1BA' },
  { city: 'Boston', region: 'MA', countryCode: 'US', country: 'United States', postalCode: '02108' },
  { city: 'Seattle', region: 'WA', countryCode: 'US', country: 'United States', postalCode: '98101' },
  { city: 'Toronto', region: 'ON', countryCode: 'CA', country: 'Canada', postalCode: 'M5H 2N2' },
  { city: 'Osaka', region: '27', countryCode: 'JP', country: 'Japan', postalCode: '530-0001' },
  { city: 'Pune', region: 'MH', countryCode: 'IN', country: 'India', postalCode: '411001' },
  { city: 'Recife', region: 'PE', countryCode: 'BR', country: 'Brazil', postalCode: '50030-230' },
]

interface Locality {
  readonly city: string
  readonly region: string
  readonly countryCode: string
  readonly country: string
  readonly postalCode: string
}

export const streets = list('Station Road, Mill Lane, Harbour Street, Park Avenue, Church Hill, Garden Row')

const companyNames = list(`
  Alder, Bluewater, Copperfield, Delta, Eastgate, Fairview, Granite, Highland, Juniper, Lakeside,
  Northern, Orchard, Pinewood, Riverside, Summit, Westbrook
`)

const companyKinds = list('Trading, Foods, Logistics, Systems, Tools, Textiles, Supplies')
const legalForms: Words = ['Ltd', 'Inc', 'GmbH', 'AG', 'Co']

const productKinds = list(`
  Lamp, Desk, Chair, Kettle, Backpack, Notebook, Bicycle, Camera, Blanket, Bottle, Keyboard, Jacket,
  Speaker, Toolbox, Tent, Watch
`)

const qualities = list(
  'Compact, Classic, Light, Sturdy, Folding, Wooden, Steel, Cotton, Travel, Garden, Office',
)

export const categories = list(
  'Furniture, Kitchen, Outdoor, Electronics, Clothing, Office Supplies, Sports, Toys, Books, Tools',
)

export const colors: Words = ['Red', 'Blue', 'Green', 'Yellow', 'Black', 'White', 'Grey', 'Brown', 'Orange']
export const statuses: Words = ['New', 'Open', 'In Process', 'On Hold', 'Completed', 'Cancelled']
export const priorities: Words = ['Low', 'Medium', 'High', 'Very High']
export const jobs = list(
  'Sales Representative, Buyer, Accountant, Engineer, Team Lead, Assistant, Designer, Planner',
)
export const departments = list('Sales, Purchasing, Finance, Production, Logistics, Service, Research')
export const courtesies: Words = ['Ms', 'Mr', 'Dr']
export const currencies: Words = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'SEK', 'INR', 'BRL', 'CAD']
export const units: Words = ['PC', 'KG', 'L', 'M', 'BOX', 'SET', 'H']
export const languages: Words = ['EN', 'DE', 'FR', 'ES', 'PT', 'IT', 'JA']
export const mediaTypes: Words = ['text/plain']

export const sentences: Words = [
  'Checked on arrival and ready for use.',
  'Deliver to the side entrance before noon.',
  'Replaces the model of last year.',
  'Agreed by telephone, to be confirmed in writing.',
  'Made to last, and easy to repair.',
  'Please call before the visit.',
  'Prices hold until the end of the quarter.',
  'Goes well with the other parts of the series.',
]

export const plainWords = list(`
  Amber, Birch, Cedar, Dune, Ember, Fjord, Grove, Heath, Island, Jetty, Knoll, Lagoon, Meadow, North,
  Oak, Prairie, Quarry, Ridge, Shore, Thicket, Upland, Valley, Willow
`)

/** The person, company and product that the strings of one entity describe, so that name and e-mail match. */
export interface Subject {
  readonly givenName: string
  readonly familyName: string
  readonly place: Locality
  readonly company: string
  readonly product: string
}

/** Picks a person, a company and a product in a place. */
export function randomSubject(random: Random): Subject {
  const name = `${random.pick(companyNames)} ${random.pick(companyKinds)}`
  return {
    givenName: random.pick(givenNames),
    familyName: random.pick(familyNames),
    place: random.pick(places),
    company: `${name} ${random.pick(legalForms)}`,
    product: `${random.pick(qualities)} ${random.pick(productKinds)}`,
  }
}
