import type { SqlDialect } from '../dialect.js'
import { postgresRendering } from './postgres-rendering.js'
import type { RenderDialect } from './render-dialect.js'
import { sqliteRendering } from './sqlite-rendering.js'

/** The databases that write entities. */
export const renderDialects: Readonly<Record<SqlDialect['name'], RenderDialect | undefined>> = {
  sqlite: sqliteRendering,
  postgres: postgresRendering,
  mysql: undefined,
}
