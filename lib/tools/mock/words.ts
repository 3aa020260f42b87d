/** The words that generated texts are made of. All are ASCII: they fit into every Edm.String. */
type Words = readonly [string, ...string[]]

export const givenNames: Words = [
  'Ada',
  'Amir',
  'Bela',
  'Carla',
  'Chen',
  'Dario',
  'Elif',
  'Emma',
  'Farid',
  'Greta',
  'Hana',
  'Igor',
  'Jonas',
  'Kenji',
  'Leila',
  'Lucas',
  'Maria',
  'Nadia',
  'Oscar',
  'Priya',
  'Rosa',
  'Samuel',
  'Tara',
  'Yusuf',
]

export const familyNames: Words = [
  'Adams',
  'Bauer',
  'Costa',
  'Demir',
  'Eriksen',
  'Fischer',
  'Garcia',
  'Hassan',
  'Ito',
  'Jansen',
  'Kumar',
  'Larsen',
  'Moreau',
  'Novak',
  'Okafor',
  'Perez',
  'Rossi',
  'Silva',
  'Tanaka',
  'Usman',
  'Vogel',
  'Weber',
]

/** What belongs together: city, region, code and name of the country, postal code. */
export const places: readonly [Place, ...Place[]] = [
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

export interface Place {
  readonly city: string
  readonly region: string
  readonly countryCode: string
  readonly country: string
  readonly postalCode: string
}

export const streets: Words = [
  'Station Road',
  'Mill Lane',
  'Harbour Street',
  'Park Avenue',
  'Church Hill',
  'Garden Row',
]

export const companyNames: Words = [
  'Alder',
  'Bluewater',
  'Copperfield',
  'Delta',
  'Eastgate',
  'Fairview',
  'Granite',
  'Highland',
  'Juniper',
  'Lakeside',
  'Northern',
  'Orchard',
  'Pinewood',
  'Riverside',
  'Summit',
  'Westbrook',
]

export const companyKinds: Words = [
  'Trading',
  'Foods',
  'Logistics',
  'Systems',
  'Tools',
  'Textiles',
  'Supplies',
]
export const legalForms: Words = ['Ltd', 'Inc', 'GmbH', 'AG', 'Co']

export const productKinds: Words = [
  'Lamp',
  'Desk',
  'Chair',
  'Kettle',
  'Backpack',
  'Notebook',
  'Bicycle',
  'Camera',
  'Blanket',
  'Bottle',
  'Keyboard',
  'Jacket',
  'Speaker',
  'Toolbox',
  'Tent',
  'Watch',
]

export const qualities: Words = [
  'Compact',
  'Classic',
  'Light',
  'Sturdy',
  'Folding',
  'Wooden',
  'Steel',
  'Cotton',
  'Travel',
  'Garden',
  'Office',
]

export const categories: Words = [
  'Furniture',
  'Kitchen',
  'Outdoor',
  'Electronics',
  'Clothing',
  'Office Supplies',
  'Sports',
  'Toys',
  'Books',
  'Tools',
]

export const colours: Words = ['Red', 'Blue', 'Green', 'Yellow', 'Black', 'White', 'Grey', 'Brown', 'Orange']
export const statuses: Words = ['New', 'Open', 'In Process', 'On Hold', 'Completed', 'Cancelled']
export const priorities: Words = ['Low', 'Medium', 'High', 'Very High']
export const jobs: Words = [
  'Sales Representative',
  'Buyer',
  'Accountant',
  'Engineer',
  'Team Lead',
  'Assistant',
  'Designer',
  'Planner',
]
export const departments: Words = [
  'Sales',
  'Purchasing',
  'Finance',
  'Production',
  'Logistics',
  'Service',
  'Research',
]
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

export const plainWords: Words = [
  'Amber',
  'Birch',
  'Cedar',
  'Dune',
  'Ember',
  'Fjord',
  'Grove',
  'Heath',
  'Island',
  'Jetty',
  'Knoll',
  'Lagoon',
  'Meadow',
  'North',
  'Oak',
  'Prairie',
  'Quarry',
  'Ridge',
  'Shore',
  'Thicket',
  'Upland',
  'Valley',
  'Willow',
]
