import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect, sql } from 'kysely'
import request from 'supertest'
import { readEdmx } from '../../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { nameOfType } from '../../../lib/edm/edm-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { IntrospectOptions } from '../../../lib/sql.js'
import { introspect, mappingOf, sqlProvider } from '../../../lib/sql.js'
import type { AnyDatabase } from './model-tables.js'
import { PostgresServer } from './postgres-server.js'

const opened: AnyDatabase[] = []
let server: PostgresServer | undefined

/** Starts the server of the spec, and closes all opened databases after it. */
export function useDatabases(): void {
  beforeAll(async () => {
    server = PostgresServer.shared()
  })

  afterAll(async () => {
    for (const db of opened) await db.destroy()
    await server?.stop()
  })
}

/** A database in memory. */
export async function sqlite(script: string): Promise<AnyDatabase> {
  const database = new SQLite(':memory:')
  database.exec(script)
  const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
  opened.push(db)
  return Promise.resolve(db)
}

/** A database of the server. @param script statements without semicolons in them */
export async function postgres(script: string): Promise<AnyDatabase> {
  if (server === undefined) throw new Error('The server has not been started.')
  const db = await server.open()
  for (const statement of script.split(';')) if (statement.trim() !== '') await sql.raw(statement).execute(db)
  return db
}

/** The model in lines: sets, properties with their facets, and where navigation properties lead. */
export function outline(model: EdmModel): Record<string, string[]> {
  return Object.fromEntries(
    model.defaultContainer.entitySets.map((set) => {
      const { entityType } = set
      const properties = entityType.properties.map((property) => {
        const { name, type, nullable, isKey, maxLength, precision, scale, defaultValue } = property
        const size = [maxLength ?? precision, scale].filter((one) => one !== undefined).join(',')
        return [
          `${isKey ? '*' : ''}${name}: ${nameOfType(type).replace('Edm.', '')}${size === '' ? '' : `(${size})`}`,
          nullable ? '?' : '',
          property.fixedLength === true ? ' fixed' : '',
          defaultValue === undefined ? '' : ` = ${defaultValue}`,
          property.computedDefaultValue === true ? ' ComputedDefaultValue' : '',
          property.storeGeneratedPattern === undefined ? '' : ` ${property.storeGeneratedPattern}`,
        ].join('')
      })
      const ways = entityType.navigationProperties.map((navigation) => {
        const target = set.targetOf(navigation)?.name ?? ''
        return `${navigation.name} -> ${target} ${navigation.toEnd.multiplicity}`
      })
      return [`${set.name}: ${entityType.name}`, [...properties, ...ways]]
    }),
  )
}

/** A service of the model of a database. */
export async function introspectedService(db: AnyDatabase, options: IntrospectOptions = {}) {
  const model = await introspect(db, options)
  const provider = sqlProvider(model, db)
  await provider.ready()
  const app = express()
  app.use('/', odataV2(model, provider))
  // The model that clients read must be sufficient for the provider as well.
  if (Object.keys(mappingOf(model)).length === 0) {
    await sqlProvider(readEdmx(writeEdmx(model)), db).ready()
  }
  return {
    app,
    model,
    get: async (path: string): Promise<{ readonly status: number; readonly d: unknown }> => {
      const response = await request(app).get(encodeURI(path)).set('accept', 'application/json')
      const { d } = response.body as { d?: { results?: unknown } }
      return { status: response.status, d: d?.results ?? d ?? response.text }
    },
  }
}
