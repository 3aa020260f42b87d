import type { Router } from 'express'
import type {
  EdmModel,
  EntitySetProvider,
  FunctionHandler,
  ODataV2Options,
  Provider,
} from '../../../lib/index.js'
import { defineModel, edm, memoryProvider, ODataError, odataV2 } from '../../../lib/index.js'
import type { Mount } from '../hosts.js'

/**
 * A small shop with one of everything that the protocol knows: the model to read its examples by. Relative
 * addresses in specs, such as `Products(1)`, are those of its entities.
 */
export const exampleModel = defineModel({
  namespace: 'NW',
  entityTypes: {
    Category: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String({ nullable: false, maxLength: 40 }),
        Note: edm.String(),
      },
      navigationProperties: {
        Products: { relationship: 'ProductCategory', fromRole: 'Category', toRole: 'Products' },
      },
    },
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String({ maxLength: 80 }),
        Price: edm.Decimal({ precision: 10, scale: 2 }),
        Stock: edm.Int64(),
        Rating: edm.Int16(),
        Weight: edm.Double(),
        Discount: edm.Single(),
        Active: edm.Boolean(),
        Released: edm.DateTime({ precision: 3 }),
        Changed: edm.DateTimeOffset(),
        Opens: edm.Time(),
        Code: edm.Guid(),
        Pic: edm.Binary(),
        Dims: { type: 'Size' },
        Ver: edm.Int32({ concurrencyMode: 'Fixed' }),
      },
      navigationProperties: {
        Category: { relationship: 'ProductCategory', fromRole: 'Products', toRole: 'Category' },
      },
    },
    Line: {
      key: ['Order', 'No'],
      properties: {
        Order: edm.Int32({ nullable: false }),
        No: edm.Int16({ nullable: false }),
        Quantity: edm.Byte(),
        Shift: edm.SByte(),
        Text: edm.String(),
      },
    },
    Party: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() },
    },
    Person: {
      baseType: 'Party',
      properties: { Born: edm.DateTime() },
      navigationProperties: {
        Portrait: { relationship: 'PersonPortrait', fromRole: 'Person', toRole: 'Portrait' },
      },
    },
    Photo: {
      key: ['ID'],
      hasStream: true,
      properties: { ID: edm.Int32({ nullable: false }), Title: edm.String() },
    },
  },
  complexTypes: { Size: { properties: { W: edm.Double(), Unit: edm.String() } } },
  associations: {
    ProductCategory: {
      ends: {
        Category: { type: 'Category', multiplicity: '0..1' },
        Products: { type: 'Product', multiplicity: '*' },
      },
    },
    PersonPortrait: {
      ends: {
        Person: { type: 'Person', multiplicity: '*' },
        Portrait: { type: 'Photo', multiplicity: '0..1' },
      },
    },
  },
  entityContainer: {
    name: 'C',
    entitySets: {
      Categories: { entityType: 'Category' },
      Products: { entityType: 'Product' },
      Lines: { entityType: 'Line' },
      Parties: { entityType: 'Party' },
      Photos: { entityType: 'Photo' },
    },
    associationSets: {
      ProductCategories: {
        association: 'ProductCategory',
        ends: { Category: 'Categories', Products: 'Products' },
      },
      PersonPortraits: { association: 'PersonPortrait', ends: { Person: 'Parties', Portrait: 'Photos' } },
    },
    functionImports: {
      ByRating: {
        returnType: 'Collection(NW.Product)',
        entitySet: 'Products',
        httpMethod: 'GET',
        parameters: { min: { type: 'Edm.Int16' } },
      },
      Best: { returnType: 'NW.Product', entitySet: 'Products', httpMethod: 'GET' },
      Total: { returnType: 'Edm.Int32', httpMethod: 'GET' },
      Largest: { returnType: 'NW.Size', httpMethod: 'GET' },
      Sizes: { returnType: 'Collection(NW.Size)', httpMethod: 'GET' },
      Names: { returnType: 'Collection(Edm.String)', httpMethod: 'GET' },
      Raise: { httpMethod: 'POST', parameters: { pct: { type: 'Edm.Double', nullable: false } } },
    },
  },
})

const gouda = {
  ID: 1,
  Name: 'Gouda',
  Price: '12.50',
  Stock: 9007199254740993n,
  Rating: 5,
  Weight: 1.5,
  Discount: 0.1,
  Active: true,
  Released: new Date('2012-05-29T09:13:28.120Z'),
  Changed: '2012-05-29T11:13:28+02:00',
  Opens: '09:13:28',
  Code: '12345678-AAAA-BBBB-cccc-ddddeeeeffff',
  Pic: Uint8Array.of(0x0f, 0xa0),
  Dims: { W: 10, Unit: 'cm' },
  Ver: 3,
}

const brie = {
  ID: 3,
  Name: 'Brie',
  Price: '9.90',
  Stock: 0n,
  Rating: 3,
  Weight: 1e21,
  Discount: Number.NEGATIVE_INFINITY,
  Active: false,
  Released: '1969-12-31T23:59:59.9999999',
  Changed: new Date('2020-02-29T00:00:00Z'),
  Opens: '23:59:59.5',
  Code: '00000000-0000-0000-0000-000000000000',
  Pic: new Uint8Array(0),
  Dims: { W: Number.NaN, Unit: '' },
  Ver: 1,
}

/** The data of the service. Nulls, blanks, markup and characters that XML cannot represent are included on purpose. */
export const exampleData = {
  Categories: [
    { ID: 1, Name: 'Cheese' },
    { ID: 2, Name: 'Bread & <Rolls>', Note: ' dark ' },
    { ID: 3, Name: 'Fish', Note: '' },
    { ID: 4, Name: 'Tea "green"', Note: 'bell\u0007 half\ud83c nul\u0000 line\r\nend\n' },
  ],
  Products: [
    { ...gouda, Category: { ID: 1 } },
    { ID: 2, Category: { ID: 1 } },
    { ...brie, Category: { ID: 1 } },
    { ID: 4, Name: 'Rye', Price: '-0.05', Stock: -1n, Rating: -32768, Ver: 2, Category: { ID: 2 } },
    { ID: 5, Name: 'Salt', Ver: 7 },
  ],
  Lines: [
    { Order: 7, No: 1, Quantity: 255, Shift: -128, Text: 'a' },
    { Order: 7, No: 2, Quantity: 0, Shift: 0 },
    { Order: 8, No: 1, Quantity: 1, Shift: 127, Text: "it's" },
  ],
  Parties: [
    { ID: 1, Name: 'ACME' },
    { $type: 'NW.Person' as const, ID: 2, Name: 'Ann', Born: new Date('1980-01-02'), Portrait: { ID: 1 } },
    { $type: 'NW.Person' as const, ID: 3, Name: 'Bob' },
  ],
  Photos: [
    { ID: 1, Title: 'Wheel', $media: { contentType: 'image/png', bytes: Buffer.from('0123456789') } },
    { ID: 2, Title: 'Empty' },
  ],
}

const exampleFunctions = {
  ByRating: ({ min }) => [gouda, brie].filter(({ Rating }) => min === null || Rating >= (min as number)),
  Best: () => gouda,
  Total: () => 5,
  Largest: () => ({ W: 10, Unit: 'cm' }),
  Sizes: () => [{ W: 10, Unit: 'cm' }, null, { W: 2.5 }],
  Names: () => ['Gouda', null, ' a<b ', ''],
  Raise({ pct }) {
    if (pct === 13) throw new Error('disk /dev/sda1 is full')
    if ((pct as number) > 0) return
    throw new ODataError('Conflict', {
      message: 'Prices <only> go up.',
      innererror: { errordetails: [{ code: 'NW/1', message: 'a "b"' }], depth: 2 },
    })
  },
} satisfies Record<string, FunctionHandler>

/** The provider with its own copy of the data. */
export function exampleProvider() {
  return memoryProvider(exampleModel, exampleData, { functions: exampleFunctions })
}

/** The service as a router for `app.use`. */
export function exampleService(options: ODataV2Options = {}): Router {
  return odataV2(exampleModel, exampleProvider(), { readOnly: true, ...options })
}

/** Mounts the service in any host. */
export function exampleServiceIn(mount: Mount, options: ODataV2Options = {}): ReturnType<Mount> {
  return mount(exampleModel, exampleProvider(), { readOnly: true, ...options })
}

type SetName = keyof typeof exampleData

/** The service with another provider for one of its sets. */
export function exampleServiceWith(
  name: SetName,
  set: EntitySetProvider,
  options: ODataV2Options = {},
): Router {
  const provider = exampleProvider() as Provider
  const entitySets = { ...provider.entitySets, [name]: set }
  return odataV2(exampleModel as EdmModel, { ...provider, entitySets }, { readOnly: true, ...options })
}
