import express from 'express'
import { sql } from 'kysely'
import request from 'supertest'
import { definitionOf } from '../../../lib/csdl/definition-of-model.js'
import { defineModel } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { hasDefaultValue } from '../../../lib/edm/edm-model.js'
import type { PropertyDefinition } from '../../../lib/edm/model-definition.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { introspect, mappingOf, sqlProvider } from '../../../lib/sql.js'
import type { AnyDatabase } from './model-tables.js'

/** The columns of a table: their type and default. */
type DefaultColumns = Readonly<Record<string, readonly [type: string, defaultValue: string]>>

type Values = Record<string, unknown>

/** Creates a service of a model, and functions that send requests to it. */
export function serviceOf(model: EdmModel, provider: Provider) {
  const app = express()
  app.use('/', odataV2(model, provider))
  const bodyOf = (body: unknown): Values => {
    const { __metadata, ...values } = (body as { d?: Values }).d ?? {}
    return values
  }
  return {
    app,
    get: async (path: string) =>
      bodyOf((await request(app).get(path).set('accept', 'application/json')).body),
    put: (path: string, body: Values) => request(app).put(path).send(body),
    post: async (path: string, body: Values) => {
      const response = await request(app).post(path).set('accept', 'application/json').send(body)
      return { status: response.status, text: response.text, d: bodyOf(response.body) }
    },
  }
}

/** Returns the model without everything that it states about defaults, as an application may write it. */
function withoutDefaults(model: EdmModel): EdmModel {
  const plain = ({ type, nullable, maxLength, precision, scale }: PropertyDefinition): PropertyDefinition =>
    JSON.parse(JSON.stringify({ type, nullable, maxLength, precision, scale })) as PropertyDefinition
  const definition = definitionOf(model)
  const entityTypes = Object.entries(definition.entityTypes ?? {}).map(([name, type]) => [
    name,
    {
      ...type,
      properties: Object.fromEntries(
        Object.entries(type.properties ?? {}).map(([property, one]) => [property, plain(one)]),
      ),
    },
  ])
  return defineModel({ ...definition, entityTypes: Object.fromEntries(entityTypes) })
}

/** An introspected service of a database with some tables. */
export async function introspectedDefaults(db: AnyDatabase, statements: readonly string[]) {
  for (const statement of statements) await sql.raw(statement).execute(db)
  const model = await introspect(db)
  return { model, ...serviceOf(model, sqlProvider(model, db)) }
}

/** The rules for columns that a client omits and that have a default in the database. */
export function itStoresDefaults(open: () => Promise<AnyDatabase>, given: DefaultColumns): void {
  const names = Object.keys(given)

  const start = async (adapt: (model: EdmModel) => EdmModel = (model) => model) => {
    const db = await open()
    const columns = names.flatMap((name) => {
      const [type, value] = given[name] ?? []
      return [`${name} ${type} default ${value}`, `r_${name} ${type} not null default ${value}`]
    })
    await sql.raw(`create table things (id integer primary key, ${columns.join(', ')})`).execute(db)
    const introspected = await introspect(db)
    const model = adapt(introspected)
    const provider = sqlProvider(model, db, { mapping: mappingOf(introspected) })
    await provider.ready()
    return {
      db,
      model,
      key: model.defaultContainer.entitySets[0]?.entityType.key[0],
      ...serviceOf(model, provider),
    }
  }

  const adaptations = [
    ['of introspect', undefined],
    ['without defaults', withoutDefaults],
  ] as const

  it.each(adaptations)('MUST store the defaults of omitted columns, with the model %s', async (_, adapt) => {
    const { db, key, get, post } = await start(adapt)
    const suffix = key?.type === 'Edm.Int64' ? 'L' : ''
    const { status, text, d } = await post('/Things', { Id: suffix === '' ? 3 : '3' })
    expect([status, status === 201 ? '' : text]).toEqual([201, ''])
    const { rows } = await sql.raw('select * from things').execute(db)
    const missing = Object.entries(rows[0] as Values).filter(([, value]) => value === null)
    expect(missing).toEqual([])
    expect(await get(`/Things(3${suffix})`)).toEqual(d)
  })

  it.each(adaptations)(
    'MUST leave them unchanged in a PUT that omits them, with the model %s',
    async (_, adapt) => {
      const { model, key, get, post, put } = await start(adapt)
      const suffix = key?.type === 'Edm.Int64' ? 'L' : ''
      const { d } = await post('/Things', { Id: suffix === '' ? 3 : '3' })
      expect((await put(`/Things(3${suffix})`, {})).status).toBe(204)
      const properties = model.defaultContainer.entitySets[0]?.entityType.properties ?? []
      expect(properties.length).toBeGreaterThan(names.length)
      expect(await get(`/Things(3${suffix})`)).toEqual(d)
    },
  )

  it('MUST declare none of them as required', async () => {
    const { model } = await start()
    const properties = model.defaultContainer.entitySets[0]?.entityType.properties ?? []
    const required = properties.filter((one) => !one.nullable && !one.isKey && !hasDefaultValue(one))
    expect(required.map(({ name }) => name)).toEqual([])
  })
}
