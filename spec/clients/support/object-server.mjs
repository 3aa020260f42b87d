// A server with the protocol of S3, in a process of its own. Prints its port when it is ready.
import { register } from 'node:module'

// Only its persistence in SQLite, which is not used, needs a newer Node.js.
const withoutSqlite = `export const resolve = (name, context, next) =>
  name === 'node:sqlite'
    ? { url: 'data:text/javascript,export class DatabaseSync {}', shortCircuit: true }
    : next(name, context)`
register(`data:text/javascript,${encodeURIComponent(withoutSqlite)}`)

const { startFauxqs } = await import('fauxqs')
const [s3StorageDir] = process.argv.slice(2)
const server = await startFauxqs({ port: 0, logger: false, s3StorageDir, init: { buckets: ['media'] } })
process.stdout.write(`${server.port}\n`)
