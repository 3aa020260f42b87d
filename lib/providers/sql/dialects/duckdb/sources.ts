import type { SourceFormat } from '../source-format.js'

const packages = ['kysely', '@duckdb/node-api']

export const duckdbSource: SourceFormat = {
  database: 'a DuckDB database',
  packages,
  file: {
    hasName: (path) => /\.(?:duckdb|ddb)$/i.test(path),
    isDatabase: (_path, start) => start.slice(8, 12) === 'DUCK',
  },
}

const hasName = (path: string): boolean => /\.(?:parquet|(?:csv|tsv|json|ndjson|jsonl)(?:\.gz)?)$/i.test(path)

export const dataFileSource: SourceFormat = {
  database: 'a Parquet, CSV or JSON file',
  packages,
  file: { hasName, isDatabase: (path, start) => hasName(path) || start.startsWith('PAR1') },
}

/** A directory of Parquet files, whose directories `name=value` are columns. */
export const parquetSource: SourceFormat = {
  database: 'a directory of Parquet files',
  packages,
  prefix: 'parquet:',
}
