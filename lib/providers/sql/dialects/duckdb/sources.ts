import { basename } from 'node:path'
import type { SourceFormat } from '../source-format.js'

const packages = ['kysely', '@duckdb/node-api']

export const duckdbSource: SourceFormat = {
  database: 'a DuckDB database',
  packages,
  isReadOnly: true,
  file: {
    hasName: (path) => /\.(?:duckdb|ddb)$/i.test(path),
    isDatabase: (_path, start) => start.slice(8, 12) === 'DUCK',
  },
}

/** Returns the name of a file without extensions: `sales` for `sales.csv.gz`. */
function tableOf(location: string): string {
  const name = basename(location)
  return name.replace(/\.gz$/i, '').replace(/(.)\.[^.]*$/, '$1')
}

const hasName = (path: string): boolean => /\.(?:parquet|(?:csv|tsv|json|ndjson|jsonl)(?:\.gz)?)$/i.test(path)

export const dataFileSource = {
  database: 'a Parquet, CSV or JSON file',
  packages,
  isReadOnly: true,
  tableOf,
  file: { hasName, isDatabase: (path, start) => hasName(path) || start.startsWith('PAR1') },
} as const satisfies SourceFormat

/** A directory of Parquet files, whose directories `name=value` are columns. */
export const parquetSource: SourceFormat = {
  database: 'a directory of Parquet files',
  packages,
  isReadOnly: true,
  tableOf,
  prefix: 'parquet:',
}
