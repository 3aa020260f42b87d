import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The packages that the guides use together with this package, in the versions of this repository. */
export const companions = [
  'express',
  '@types/express',
  '@types/koa',
  'fastify',
  'koa',
  '@types/node',
  'cors',
  '@types/cors',
  'compression',
  '@types/compression',
  'helmet',
  'supertest',
  '@types/supertest',
  '@types/jest',
  'kysely',
  'better-sqlite3',
  '@types/better-sqlite3',
  'pg',
  '@types/pg',
  'typescript',
]

/** Returns the name of an installed package with its version. */
export function versioned(name: string): string {
  const path = join('node_modules', name, 'package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  return `${name}@${version}`
}
