import { defineModel, edm } from '../../../lib/index.js'

/** Employees and their bosses. */
export const staffModel = defineModel({
  namespace: 'Firm',
  complexTypes: {
    Address: { properties: { City: edm.String(), Zip: edm.String({ defaultValue: '0' }) } },
  },
  entityTypes: {
    Person: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(),
        Salary: edm.Int32({ defaultValue: '7' }),
        Grade: edm.String(),
        Home: { type: 'Address' },
        Version: edm.Int32({ concurrencyMode: 'Fixed' }),
        BossID: edm.Int32(),
      },
      navigationProperties: {
        Boss: { relationship: 'Hierarchy', fromRole: 'Report', toRole: 'Boss' },
        Reports: { relationship: 'Hierarchy', fromRole: 'Boss', toRole: 'Report' },
      },
    },
  },
  associations: {
    Hierarchy: {
      ends: {
        Boss: { type: 'Person', multiplicity: '0..1' },
        Report: { type: 'Person', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Boss', properties: ['ID'] },
        dependent: { role: 'Report', properties: ['BossID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Staff: { entityType: 'Person' } },
    associationSets: {
      Hierarchy: { association: 'Hierarchy', ends: { Boss: 'Staff', Report: 'Staff' } },
    },
    functionImports: {
      Best: { returnType: 'Person', entitySet: 'Staff', httpMethod: 'GET' },
      All: { returnType: 'Collection(Person)', entitySet: 'Staff', httpMethod: 'GET' },
    },
  },
})

/** The rows of `Staff`: each is the boss of the next. */
export const staffRows = (): Record<string, unknown>[] => [
  {
    ID: 1,
    Name: 'Ada',
    Salary: 4711,
    Grade: 'A',
    Home: { City: 'Bern', Zip: '3000' },
    Version: 1,
    BossID: null,
  },
  {
    ID: 2,
    Name: 'Bob',
    Salary: 4712,
    Grade: 'B',
    Home: { City: 'Basel', Zip: '4000' },
    Version: 1,
    BossID: 1,
  },
  {
    ID: 3,
    Name: 'Cid',
    Salary: 4713,
    Grade: 'C',
    Home: { City: 'Biel', Zip: '2500' },
    Version: 1,
    BossID: 2,
  },
]
