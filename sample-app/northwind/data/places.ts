import type { Random } from './random.js'

/** A complex value of NorthwindModel.Address. */
export interface Address {
  readonly Street: string | null
  readonly City: string | null
  readonly Region: string | null
  readonly PostalCode: string | null
  readonly Country: string | null
  readonly Location: { readonly Latitude: number | null; readonly Longitude: number | null }
}

interface Place {
  readonly region: string | null
  readonly postalCode: string | null
  readonly country: string
  readonly latitude: number
  readonly longitude: number
  readonly dialling: string
}

function place(
  region: string | null,
  postalCode: string | null,
  country: string,
  latitude: number,
  longitude: number,
  dialling: string,
): Place {
  return { region, postalCode, country, latitude, longitude, dialling }
}

/** Real places, so that maps and sort orders have something to show. */
const places = {
  Aarhus: place(null, '8000', 'Denmark', 56.16, 10.2, '45'),
  Accra: place('Greater Accra', null, 'Ghana', 5.6, -0.19, '233'),
  Bergen: place('Vestland', '5014', 'Norway', 60.39, 5.32, '47'),
  Bordeaux: place('Nouvelle-Aquitaine', '33000', 'France', 44.84, -0.58, '33'),
  Brno: place(null, '602 00', 'Czechia', 49.2, 16.61, '420'),
  Cork: place('Munster', 'T12', 'Ireland', 51.9, -8.47, '353'),
  Curitiba: place('PR', '80010-000', 'Brazil', -25.43, -49.27, '55'),
  Galway: place('Connacht', 'H91', 'Ireland', 53.27, -9.05, '353'),
  Göteborg: place(null, '411 05', 'Sweden', 57.71, 11.97, '46'),
  Halifax: place('NS', 'B3J', 'Canada', 44.65, -63.57, '1'),
  Hobart: place('TAS', '7000', 'Australia', -42.88, 147.33, '61'),
  Kōchi: place('Shikoku', '780-0870', 'Japan', 33.56, 133.53, '81'),
  Kraków: place(null, '31-001', 'Poland', 50.06, 19.94, '48'),
  Köln: place(null, '50667', 'Germany', 50.94, 6.96, '49'),
  'León de los Aldama': place('Guanajuato', '37000', 'Mexico', 21.12, -101.69, '52'),
  Modena: place('Emilia-Romagna', '41121', 'Italy', 44.65, 10.93, '39'),
  München: place(null, '80331', 'Germany', 48.14, 11.58, '49'),
  Porto: place(null, '4000-001', 'Portugal', 41.15, -8.61, '351'),
  'Portland, Maine': place('ME', '04101', 'USA', 43.66, -70.26, '1'),
  Québec: place('QC', 'G1R', 'Canada', 46.81, -71.21, '1'),
  'Santa Fe': place('NM', '87501', 'USA', 35.69, -105.94, '1'),
  Sevilla: place('Andalucía', '41001', 'Spain', 37.39, -5.99, '34'),
  Tampere: place(null, '33100', 'Finland', 61.5, 23.76, '358'),
  Tromsø: place('Troms', '9008', 'Norway', 69.65, 18.96, '47'),
  York: place('North Yorkshire', 'YO1', 'United Kingdom', 53.96, -1.08, '44'),
} satisfies Record<string, Place>

export type City = keyof typeof places

/** Creates an address from a street and the data of its city. */
export function addressOf(street: string, city: City): Address {
  const { region, postalCode, country, latitude, longitude } = places[city]
  return {
    Street: street,
    City: city,
    Region: region,
    PostalCode: postalCode,
    Country: country,
    Location: { Latitude: latitude, Longitude: longitude },
  }
}

/** An empty address: complex values are never null, but their members can be. */
export const noAddress: Address = {
  Street: null,
  City: null,
  Region: null,
  PostalCode: null,
  Country: null,
  Location: { Latitude: null, Longitude: null },
}

/** Creates a fictitious phone number. */
export function phoneIn(city: City, random: Random): string {
  return `+${places[city].dialling} 555 ${String(random.integer(0, 9999)).padStart(4, '0')}`
}
