import type { Colour } from './identicon.js'
import { identicon } from './identicon.js'
import type { City } from './places.js'
import { addressOf } from './places.js'

interface Person {
  readonly name: readonly [first: string, last: string]
  readonly title: string
  readonly born: string | null
  readonly hired: string
  readonly shift: string | null
  readonly home: readonly [street: string, city: City]
  readonly notes: string | null
  readonly manager: number | null
  readonly territories: readonly string[]
  readonly colour: Colour
}

const people: readonly Person[] = [
  {
    name: ['Marit', 'Nordvik'],
    title: 'Managing Director',
    born: '1961-02-28',
    hired: '1994-05-02T09:00:00Z',
    shift: '09:30:00',
    home: ['Nygårdsgaten 15', 'Bergen'],
    notes: 'Founded the shop in a <em>boathouse</em>. Knows every supplier by first name.',
    manager: null,
    territories: ['NO-46', 'NO-55'],
    colour: [34, 87, 122],
  },
  {
    name: ['Anselm', 'Brandt'],
    title: 'Head of Sales',
    born: '1969-12-31',
    hired: '1999-01-01T00:00:00Z',
    shift: '08:00:00',
    home: ['Maternusstraße 6', 'Köln'],
    notes: 'Speaks German, Dutch &amp; Polish. Collects <strong>mustard spoons</strong>.',
    manager: 1,
    territories: ['DE-NW', 'DE-BY', 'PL-12'],
    colour: [150, 60, 40],
  },
  {
    name: ['Caoimhe', 'Brennan'],
    title: 'Sales Representative',
    born: '1988-07-19',
    hired: '2015-09-14T08:30:00Z',
    shift: '07:45:00',
    home: ['22 Claddagh Quay', 'Galway'],
    notes: 'On the road from Monday to Thursday.',
    manager: 2,
    territories: ['IE-G', 'IE-CO', 'GB-YOR'],
    colour: [60, 120, 70],
  },
  {
    name: ['Tiago', 'Sampaio'],
    title: 'Sales Representative',
    born: '1992-03-03',
    hired: '2018-02-01T10:00:00Z',
    shift: '10:00:00',
    home: ['Rua do Almada 301', 'Porto'],
    notes: null,
    manager: 2,
    territories: ['PT-13', 'ES-SE', 'BR-PR'],
    colour: [170, 120, 30],
  },
  {
    name: ['Élodie', 'Marchand'],
    title: 'Sales Representative',
    born: '1985-11-11',
    hired: '2012-06-18T08:00:00.250Z',
    shift: '08:15:30',
    home: ['5, rue Notre-Dame', 'Bordeaux'],
    notes: '<p>Tastes all cheese before it is listed.</p><p>Allergic to nuts.</p>',
    manager: 2,
    territories: ['FR-33', 'CA-QC', 'IT-MO'],
    colour: [120, 50, 110],
  },
  {
    name: ['Hiroto', 'Fujikawa'],
    title: 'Purchasing',
    born: '1979-08-08',
    hired: '2009-04-01T00:30:00Z',
    shift: '00:00:00',
    home: ['Kamimachi 4-2', 'Kōchi'],
    notes: 'Works while the others sleep.',
    manager: 1,
    territories: ['JP-39', 'AU-TAS'],
    colour: [180, 50, 70],
  },
  {
    name: ['Esi', 'Owusu-Ansah'],
    title: 'Purchasing',
    born: null,
    hired: '2020-11-30T12:00:00Z',
    shift: '06:30:00',
    home: ['9 Liberation Road', 'Accra'],
    notes: 'Visits growers twice a year.',
    manager: 6,
    territories: ['GH-AA'],
    colour: [50, 50, 60],
  },
  {
    name: ['Walt', 'Kinsella'],
    title: 'Warehouse',
    born: '1958-10-05',
    hired: '2001-03-19T11:00:00Z',
    shift: '23:59:59',
    home: ['12 Exchange Street', 'Portland, Maine'],
    notes: 'Sends a postcard with <a href="http://northwind.example/postcards">every parcel</a>.',
    manager: 1,
    territories: ['US-ME', 'CA-NS'],
    colour: [90, 90, 150],
  },
  {
    name: ['Iker', "D'Angelo"],
    title: 'Trainee',
    born: '2004-02-29',
    hired: '2024-08-01T07:00:00Z',
    shift: null,
    home: ['Calle Pureza 14', 'Sevilla'],
    notes: '',
    manager: 8,
    territories: [],
    colour: [110, 140, 40],
  },
]

/** Converts a name to the local part of an e-mail address, without accents and punctuation. */
function mailName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
}

/** The rows of Employees with their photos and the territories they sell to. */
export const employees = people.map(({ name: [FirstName, LastName], ...person }, index) => ({
  EmployeeID: index + 1,
  FirstName,
  LastName,
  FullName: `${FirstName} ${LastName}`,
  Title: person.title,
  Email: `${mailName(FirstName)}.${mailName(LastName)}@northwind.example`,
  BirthDate: person.born === null ? null : new Date(`${person.born}T00:00:00Z`),
  HireDate: new Date(person.hired),
  ShiftStart: person.shift,
  Address: addressOf(...person.home),
  Notes: person.notes,
  ReportsTo: person.manager,
  Modified: new Date(Date.UTC(2025, index, 3 * index + 1, 9, 13, 28, index * 111)),
  Territories: person.territories.map((TerritoryID) => ({ TerritoryID })),
  $media: { contentType: 'image/png', bytes: identicon(index + 1, person.colour) },
}))
