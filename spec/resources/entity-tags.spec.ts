import { defineModel, edm } from '../../lib/edm/define-model.js'
import { entityTagOf, versionOfTag } from '../../lib/resources/entity-tags.js'
import { required } from '../../lib/util/required.js'

const versions = {
  Byte: edm.Byte({ concurrencyMode: 'Fixed' }),
  Int32: edm.Int32({ concurrencyMode: 'Fixed' }),
  Int64: edm.Int64({ concurrencyMode: 'Fixed' }),
}
type VersionType = keyof typeof versions

function setWith(type: VersionType) {
  const { defaultContainer } = defineModel({
    namespace: 'N',
    entityTypes: {
      Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), V: versions[type] } },
    },
    entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
  })
  return required(defaultContainer.entitySet('Items'))
}

// @spec MS-ODATA 2.2.5.4: an ETag contains the literals of the concurrency tokens
it.each<readonly [VersionType, unknown]>([
  ['Byte', 255],
  ['Int32', 0],
  ['Int32', -7],
  ['Int32', 2_147_483_647],
  ['Int64', 5n],
  ['Int64', 9_223_372_036_854_775_807n],
  ['Int64', -1n],
  ['Int64', null],
])('the version in the ETag of %s %s is that of the entity', (type, V) => {
  const set = setWith(type)
  expect(versionOfTag(required(entityTagOf({ V }, set, undefined)), set)).toEqual({ V })
})

it.each<readonly [VersionType, string]>([
  ['Byte', 'W/"256"'],
  ['Int32', 'W/"5L"'],
  ['Int32', 'W/"05"'],
  ['Int32', 'W/"+5"'],
  ['Int32', 'W/"5", W/"6"'],
  ['Int32', 'W/"2147483648"'],
  ['Int64', 'W/"5"'],
  ['Int64', 'W/"9223372036854775808L"'],
])('no entity with a version of type %s has the ETag %s', (type, tag) => {
  expect(versionOfTag(tag, setWith(type))).toBeUndefined()
})
