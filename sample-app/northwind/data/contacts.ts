import { addressOf } from './places.js'

const company = { $type: 'NorthwindModel.Company' }
const person = { $type: 'NorthwindModel.Person' }

/** The rows of Contacts: `$type` names the derived type of an entity, and without it an entity is just a Party. */
export const contacts = [
  { PartyID: 1, DisplayName: 'Fire brigade', Phone: '112', OrganisationID: null },
  { PartyID: 2, DisplayName: 'Reception', Phone: '+47 555 0100', OrganisationID: 3 },
  {
    ...company,
    PartyID: 3,
    DisplayName: 'Northwind Wholesale',
    Phone: '+47 555 0100',
    OrganisationID: null,
    RegistrationCode: '3f2c1a64-7b0e-4d55-9a31-0c8e5d1f2b77',
    Address: addressOf('Bryggen 1', 'Bergen'),
    Turnover: 9_876_543_210n,
  },
  {
    ...company,
    PartyID: 4,
    DisplayName: 'Northwind Iberia',
    Phone: '+351 555 0104',
    OrganisationID: 3,
    RegistrationCode: 'b8d90e17-52f4-4c2a-8e66-f1a7739c4d05',
    Address: addressOf('Rua do Almada 12', 'Porto'),
    Turnover: 412_000_000n,
  },
  {
    ...company,
    PartyID: 5,
    DisplayName: 'Kjell’s Vans',
    Phone: null,
    OrganisationID: null,
    RegistrationCode: '00000000-0000-0000-0000-000000000000',
    Address: addressOf('Kanalveien 54', 'Bergen'),
    Turnover: null,
  },
  {
    ...person,
    PartyID: 6,
    DisplayName: 'Kjell Hopland',
    Phone: '+47 555 0106',
    OrganisationID: 5,
    GivenName: 'Kjell',
    FamilyName: 'Hopland',
    BirthDate: new Date('1966-06-06T00:00:00Z'),
  },
  {
    ...person,
    PartyID: 7,
    DisplayName: 'Luzia',
    Phone: '+351 555 0107',
    OrganisationID: 4,
    GivenName: 'Luzia',
    FamilyName: null,
    BirthDate: null,
  },
  {
    ...person,
    PartyID: 8,
    DisplayName: 'Dr. Per-Åke Öst',
    Phone: null,
    OrganisationID: null,
    GivenName: 'Per-Åke',
    FamilyName: 'Öst',
    BirthDate: new Date('1949-01-31T00:00:00Z'),
  },
]
