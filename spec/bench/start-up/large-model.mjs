/** A definition with as many entity types of fifteen properties, each linked to its neighbors. */

const simpleTypes = ['String', 'Decimal', 'DateTime', 'Boolean', 'Int64', 'Guid', 'Double']

export function largeDefinition(count) {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const byName = (member) => Object.fromEntries(numbers.map(member).filter((one) => one !== undefined))
  return {
    namespace: 'Large',
    entityTypes: byName((one) => [`Type${one}`, entityType(one, count)]),
    associations: byName((one) => (one === 0 ? undefined : [`Link${one}`, association(one)])),
    entityContainer: { entitySets: byName((one) => [`Set${one}`, { entityType: `Type${one}` }]) },
  }
}

function entityType(one, count) {
  const properties = { ID: { type: 'Edm.Int32', nullable: false }, ParentID: { type: 'Edm.Int32' } }
  for (let index = 0; index < 13; index++) {
    properties[`Property${index}`] = { type: `Edm.${simpleTypes[index % simpleTypes.length]}` }
  }
  const children = { relationship: `Link${one + 1}`, fromRole: 'Principal', toRole: 'Dependent' }
  const parent = { relationship: `Link${one}`, fromRole: 'Dependent', toRole: 'Principal' }
  return {
    key: ['ID'],
    properties,
    navigationProperties: {
      ...(one + 1 < count && { Children: children }),
      ...(one > 0 && { Parent: parent }),
    },
  }
}

function association(one) {
  return {
    ends: {
      Principal: { type: `Type${one - 1}`, multiplicity: '0..1' },
      Dependent: { type: `Type${one}`, multiplicity: '*' },
    },
    referentialConstraint: {
      principal: { role: 'Principal', properties: ['ID'] },
      dependent: { role: 'Dependent', properties: ['ParentID'] },
    },
  }
}
