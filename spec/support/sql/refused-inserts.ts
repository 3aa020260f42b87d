/**
 * Inserts that the database refuses, where the item 1 is named `one` and the shelf 9 does not exist, with the status and
 * the message of their responses.
 */
export const refusedInserts: readonly (readonly [
  name: string,
  entity: object,
  status: number,
  message: string,
])[] = [
  ['a taken key', { ID: 1 }, 409, 'Items(1) already exists'],
  [
    'a taken value',
    { ID: 2, Name: 'one' },
    409,
    "Property 'Name': another entity of 'Items' has the same value",
  ],
  ['a reference to an absent entity', { ID: 2, ShelfID: 9 }, 409, 'Shelves'],
  ['a number beyond the column', { ID: 2, Weight: '10000' }, 400, 'Weight'],
]
