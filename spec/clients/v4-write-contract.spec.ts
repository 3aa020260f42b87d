import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openV4 } from '../../lib/v4.js'
import { describeWriteContract } from '../contracts/write-contract.js'
import { startCap } from './support/cap-shop.js'
import { nestedProvider } from './support/nested-provider.js'

/** CAP names entity sets after entities; the names of the contract are given by the option `sets`. */
const rename = {
  Sample: 'Samples',
  Form: 'Forms',
  Counter: 'Counters',
  Coupon: 'Coupons',
  Reading: 'Readings',
  Category: 'Categories',
  Product: 'Products',
  Tag: 'Tags',
  Cover: 'Covers',
  Order: 'Orders',
  Line: 'Lines',
  Remark: 'Remarks',
  Warehouse: 'Warehouses',
  Bin: 'Bins',
  Worker: 'Workers',
  Badge: 'Badges',
  Party: 'Parties',
  Photo: 'Photos',
}

const failed = 'CAP responds with 500 to errors of its database: 502.'
const unchecked = 'CAP stores foreign keys without looking for the entity.'
const several =
  'Only compositions can be inserted together, since CAP ignores entities that are nested under associations: 501.'
const decimals = 'CAP stores decimals in SQLite as floating-point numbers, which have 15 digits.'
const optional = 'Media resources are optional: a POST in JSON or Atom inserts an entity.'

describeWriteContract('openV4 with CAP', {
  async create(model, rows) {
    const folder = await mkdtemp(join(tmpdir(), 'cap-'))
    const file = join(folder, 'rows.json')
    const named = Object.entries(rename).map(([entity, set]) => [`Works.${entity}`, rows[set] ?? []])
    const text = JSON.stringify(Object.fromEntries(named), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    await writeFile(file, text)
    const cap = await startCap('works', '--rows', file)
    const opened = await openV4(`${cap.url}/odata/v4/works`, {
      dialect: 'cap',
      sets: { rename },
      timeout: 10_000,
    })
    return {
      provider: nestedProvider(model, opened.provider),
      async dispose() {
        opened.close()
        await cap.stop()
        await rm(folder, { recursive: true })
      },
    }
  },
  fractionDigits: 3,
  without: ['inheritance', 'link tables', 'open change sets', 'non-finite numbers'],
  differences: {
    ...Object.fromEntries(
      ["it's", 'a/b?c#d%', 'Case', 'CASE', 'Case ', '%_[]\\', ''].map((key) => [
        `MUST accept the key ${JSON.stringify(key)}, and distinguish it from all others`,
        failed,
      ]),
    ),
    'MUST respond with 409 to an existing key of Orders, and change nothing': failed,
    'MUST respond with 409 to an existing key of Coupons, and change nothing': failed,
    'MUST respond with 409 to an existing key of Lines, and change nothing': failed,
    'MUST find entities by keys of other types, to the last digit': failed,
    'MUST respond with 400 when a required value is missing': failed,
    'MUST respond with 400 to Forms with a Title of null, name it, and add nothing': failed,
    'MUST add nothing when the last inline entity has a key that is taken': failed,
    'MUST not be needed to add and delete entities concurrently': failed,
    'MUST not resolve Content-ID references to entities of a failed change set': failed,
    'MUST reject a duplicate key and a dangling foreign key with Conflict': failed,
    'MUST accept the key "é😀", and distinguish it from all others':
      'CAP never responds to an insert whose Location has characters that headers cannot have: 504.',
    'MUST respond with 409 when a foreign key refers to no entity': unchecked,
    'MUST bind and unbind single links': unchecked,
    'MUST set nullable foreign keys to null': unchecked,
    'MUST leave no foreign key to an entity that is deleted concurrently': unchecked,
    'MUST store one badge for one worker': unchecked,
    'MUST lead to the expected state, one by one': unchecked,
    'MUST lead to the expected state in change sets, each as a whole or not at all': unchecked,
    'MUST respond with 409 and delete nothing while other entities require the entity': several,
    'MUST add the principal before the dependent entity': several,
    'MUST add trees of one set': several,
    'MUST link inline entities to existing entities': several,
    'MUST add nothing and roll back all changes when a referenced entity does not exist': several,
    'MUST make change sets and deep inserts visible as a whole or not at all': several,
    'MUST leave no trace when the last change fails': several,
    'MUST release explicit and generated keys after a rollback': several,
    'MUST be isolated from concurrent change sets, some of them failing': several,
    'MUST return Exact "7922816251426433759.3543950335" unchanged, in Atom and in JSON': decimals,
    'MUST return Exact "-9999999999999999999.9999999999" unchanged, in Atom and in JSON': decimals,
    'MUST return Clock "PT23H59M59.999S" unchanged, in Atom and in JSON':
      'Edm.TimeOfDay of CAP has no fractions of a second: 400.',
    'PUT MUST respond with 400 when a required value is absent, and change nothing':
      'PUT leaves absent required values to the service, which may have defaults that its model does not state.',
    'MUST NOT reuse an earlier ETag, even if an update sets an earlier version':
      'ETags are those of the service: the handler of this one increments the stored version.',
    'MUST preserve concurrent changes of other members of a complex value':
      'A complex value is merged with the one that was read before, and sent as a whole.',
    'MUST resolve Content-ID references to created entities, in addresses and in bodies':
      'CAP has no references to new entities in links: 501 for a PUT of a link to one whose key it generates.',
    'MUST compare the ETag and change the entity atomically':
      'The provider has ETags of its own: conditions are ETags, not versions.',
    'MUST be stored as bytes for every content type, including JSON': optional,
    'MUST be empty when only an entry is posted, and its key be generated': optional,
    'MUST be replaced with their type, independently of the properties': optional,
    'MUST be empty after they are deleted, and be deleted with their entity':
      'An entity without media resource has none: 404 instead of an empty one.',
    'MUST be rolled back with a change set that fails':
      'Media resources are streamed, and cannot be part of a change set.',
  },
})
