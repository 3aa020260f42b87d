import { defineModel, edm } from '../../../lib/index.js'

/** Photos with media resources, and counters with versions, for specs that make writing go wrong. */
export const photoModel = defineModel({
  namespace: 'P',
  entityTypes: {
    Photo: {
      key: ['ID'],
      hasStream: true,
      properties: {
        ID: edm.Int32({ nullable: false }),
        Title: edm.String({ nullable: false, syndication: { target: 'SyndicationTitle' } }),
      },
    },
    Counter: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Value: edm.Int32({ nullable: false }),
        Version: edm.Int32({ nullable: false, concurrencyMode: 'Fixed' }),
      },
      navigationProperties: {
        Photos: { relationship: 'Counted', fromRole: 'Counter', toRole: 'Photo' },
      },
    },
  },
  associations: {
    Counted: {
      ends: { Counter: { type: 'Counter', multiplicity: '*' }, Photo: { type: 'Photo', multiplicity: '*' } },
    },
  },
  entityContainer: {
    entitySets: { Photos: { entityType: 'Photo' }, Counters: { entityType: 'Counter' } },
    associationSets: {
      CountedPhotos: { association: 'Counted', ends: { Counter: 'Counters', Photo: 'Photos' } },
    },
  },
} as const)

/** One photo with the bytes `old`, and one counter. */
export function photoData() {
  const $media = { contentType: 'image/png', bytes: Buffer.from('old') }
  return { Photos: [{ ID: 1, Title: 'one', $media }], Counters: [{ ID: 1, Value: 0, Version: 1 }] }
}
