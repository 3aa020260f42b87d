import express from 'express'
import request from 'supertest'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { Provider } from '../../lib/provider/provider.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'

const inherited = ['toString', 'valueOf', 'hasOwnProperty', 'constructor', '__proto__']

/** A model in which a name that every object knows is a key, a property, a foreign key and a parameter. */
function modelWith(name: string): EdmModel {
  const properties = Object.fromEntries([
    [name, edm.String({ nullable: false })],
    ['Note', edm.String()],
  ])
  return defineModel({
    namespace: 'P',
    entityTypes: {
      Thing: { key: [name], properties },
      Part: {
        key: ['ID'],
        properties: Object.fromEntries([
          ['ID', edm.Int32({ nullable: false })],
          [name, edm.String()],
        ]),
        navigationProperties: { Whole: { relationship: 'Parts', fromRole: 'Part', toRole: 'Whole' } },
      },
    },
    associations: {
      Parts: {
        ends: { Whole: { type: 'Thing', multiplicity: '0..1' }, Part: { type: 'Part', multiplicity: '*' } },
        referentialConstraint: {
          principal: { role: 'Whole', properties: [name] },
          dependent: { role: 'Part', properties: [name] },
        },
      },
    },
    entityContainer: {
      entitySets: { Things: { entityType: 'Thing' }, Parts: { entityType: 'Part' } },
      associationSets: { Parts: { association: 'Parts', ends: { Whole: 'Things', Part: 'Parts' } } },
      functionImports: {
        Echo: {
          returnType: 'Edm.String',
          httpMethod: 'GET',
          parameters: Object.fromEntries([[name, { type: 'Edm.String' }]]),
        },
      },
    },
  })
}

const own = (name: string, value: unknown, more: object = {}): Record<string, unknown> => ({
  ...more,
  ...(Object.fromEntries([[name, value]]) as object),
})

/** Some rows lack the member: it must be null there, whatever their prototype contains. */
function providerWith(name: string): Provider {
  return {
    entitySets: {
      Things: { read: () => [own(name, 'a', { Note: 'first' }), own(name, 'b')] },
      Parts: { read: () => [own(name, 'a', { ID: 1 }), { ID: 2 }, own(name, 'b', { ID: 3 })] },
    },
    functions: {
      Echo: (parameters) => (Object.hasOwn(parameters, name) ? parameters[name] : 'lost'),
    },
  }
}

describe.each(inherited)("The name '%s'", (name) => {
  async function get(path: string): Promise<{ status: number; text: string }> {
    const app = express().use('/', odataV2(modelWith(name), providerWith(name)))
    const { status, text } = await request(app).get(path)
    return { status, text }
  }

  it('MUST do as a key', async () => {
    expect(await get("/Things('a')/Note/$value")).toMatchObject({ status: 200, text: 'first' })
    expect((await get(`/Things(${name}='b')`)).status).toBe(200)
    expect((await get("/Things('c')")).status).toBe(404)
  })

  it.each([
    [(one: string) => `${one} eq null`, '1'],
    [(one: string) => `${one} ne null`, '2'],
    [(one: string) => `${one} eq 'a'`, '1'],
    [(one: string) => `${one} ne 'a'`, '2'],
    [(one: string) => `length(${one}) eq 1`, '2'],
  ])('MUST be null where a row does not have it itself: %#', async (filter, count) => {
    const path = `/Parts/$count?$filter=${encodeURIComponent(filter(name))}`
    expect(await get(path)).toMatchObject({ status: 200, text: count })
  })

  it('MUST be shown as null where a row does not have it itself', async () => {
    const json = await get('/Parts(2)?$format=json')
    expect([json.status, json.text.includes(`"${name}":null`)]).toEqual([200, true])
    const atom = await get('/Parts')
    expect([atom.status, atom.text.split(`<d:${name} m:null="true"/>`).length]).toEqual([200, 2])
    expect((await get(`/Parts(2)/${name}`)).text).toContain('m:null="true"')
    expect((await get(`/Parts(2)/${name}/$value`)).status).toBe(404)
    expect(await get(`/Parts(1)/${name}/$value`)).toMatchObject({ status: 200, text: 'a' })
  })

  it('MUST do as a foreign key', async () => {
    expect(await get('/Parts(1)/Whole/Note/$value')).toMatchObject({ status: 200, text: 'first' })
    expect((await get('/Parts(2)/Whole')).status).toBe(404)
    expect((await get('/Parts?$expand=Whole&$select=ID,Whole')).status).toBe(200)
    expect((await get('/Parts?$expand=Whole')).status).toBe(200)
  })

  it('MUST sort rows that do not have it before all others', async () => {
    const { status, text } = await get(`/Parts?$orderby=${name}%20desc&$format=json&$select=ID`)
    expect(status).toBe(200)
    expect([...text.matchAll(/"ID":(\d)/g)].map(([, id]) => id)).toEqual(['3', '1', '2'])
  })

  it('MUST do as a parameter', async () => {
    expect(await get(`/Echo/$value?${name}='x'`)).toMatchObject({ status: 200, text: 'x' })
  })
})

describe.each(inherited)("The name '%s' in a body", (name) => {
  const properties = Object.fromEntries([[name, edm.String()]])
  const model = defineModel({
    namespace: 'P',
    complexTypes: { Box: { properties } },
    entityTypes: {
      Thing: {
        key: ['ID'],
        properties: Object.fromEntries([
          ['ID', edm.Int32({ nullable: false })],
          [name, edm.String()],
          ['Box', { type: 'Box', nullable: false }],
        ]),
      },
      Other: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } },
    },
    entityContainer: { entitySets: { Things: { entityType: 'Thing' }, Others: { entityType: 'Other' } } },
  }) as EdmModel

  const json = (value: string): string => JSON.stringify(own(name, value, { Box: own(name, value) }))
  const atom = (value: string): string =>
    `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
      xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><content type="application/xml">
      <m:properties><d:${name}>${value}</d:${name}><d:Box><d:${name}>${value}</d:${name}></d:Box></m:properties>
      </content></entry>`

  it.each([
    ['application/json', json],
    ['application/atom+xml', atom],
  ])('MUST be stored like any other: %s', async (type, body) => {
    const hooks = { Things: { beforeInsert: () => own(name, 'hooked') } }
    const app = express()
      .use('/hooked', odataV2(model, memoryProvider(model), { hooks }))
      .use('/', odataV2(model, memoryProvider(model, { Things: [{ ID: 0 }] })))
    const stored = async (path: string): Promise<unknown> => {
      const { text } = await request(app).get(`${path}?$format=json`)
      const { d } = JSON.parse(text) as { d: Record<string, Record<string, unknown>> }
      return [Object.entries(d).find(([member]) => member === name)?.[1], Object.entries(d.Box ?? {})]
    }
    const send = async (method: 'post' | 'put' | 'merge', path: string, value: string): Promise<number> =>
      (await request(app)[method](path).set('Content-Type', type).send(body(value))).status
    expect([await send('post', '/Things', 'a'), await stored('/Things(1)')]).toEqual([
      201,
      ['a', [[name, 'a']]],
    ])
    expect([await send('merge', '/Things(1)', 'b'), await stored('/Things(1)')]).toEqual([
      204,
      ['b', [[name, 'b']]],
    ])
    expect([await send('put', '/Things(1)', 'c'), await stored('/Things(1)')]).toEqual([
      204,
      ['c', [[name, 'c']]],
    ])
    expect([await send('post', '/hooked/Things', 'a'), await stored('/hooked/Things(1)')]).toEqual([
      201,
      ['hooked', [[name, 'a']]],
    ])
  })

  it('MUST be refused where there is no such property', async () => {
    const app = express().use('/', odataV2(model, memoryProvider(model)))
    const { status, text } = await request(app)
      .post('/Others')
      .set({ 'Content-Type': 'application/json', Accept: 'application/json' })
      .send(JSON.stringify(own(name, 'a', { ID: 1 })))
    expect([status, text]).toEqual([400, expect.stringContaining(`'${name}' does not exist`)])
  })
})
