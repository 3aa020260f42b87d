/** The servers that are compared for the shop, the first being the one that the others are measured against. */
export const handCoded = { name: 'hand-coded, Express', server: 'hand-coded' }
export const handCodedInMemory = {
  name: 'hand-coded from memory, Express',
  server: 'hand-coded',
  settings: { store: 'memory' },
}
export const handCodedOnNode = { name: 'hand-coded, node:http', server: 'hand-coded-node' }
export const ready = { name: 'ready bytes, node:http', server: 'ready' }
export const cap = {
  name: 'CAP with its V2 adapter',
  server: '../opponents/cap',
  opponent: true,
  path: (path) => `/odata/v2${path}`,
}
export const mockserver = {
  name: 'fe-mockserver',
  server: '../opponents/mockserver',
  opponent: true,
  // It returns 1970 for dates that are null (findings/fe-mockserver-v2-values.sh).
  corrected: (body) => body.toString().replaceAll('"/Date(0)/"', 'null'),
}

const providers = {
  sql: 'SQL provider',
  rows: 'rows of a provider',
  memory: 'memory provider',
  postgres: 'SQL provider',
  mysql: 'SQL provider',
}

/** The exports that a host needs; hosts that a package lacks are left out. */
export const hosts = {
  express: { name: 'Express' },
  fast: { name: 'fast host', needs: 'createServer' },
  node: { name: 'node:http', needs: 'requestListener' },
}

/** A service of this package. @param provider sql, rows or memory; @param host express, fast or node */
export function ours(provider, host = 'express') {
  const { name, needs } = hosts[host]
  return {
    name: `${providers[provider]}, ${name}`,
    server: 'shop',
    settings: { provider, host },
    needs,
    ours: true,
  }
}

/** Every page is read and serialized: the page cache is off. */
const withoutPageCache = (provider) => ({
  ...ours(provider),
  name: `${providers[provider]} without page cache, Express`,
  settings: { provider, host: 'express', options: { pageCache: { maxBytes: 0 } } },
})

export const sqlWithoutPageCache = withoutPageCache('sql')
export const memoryWithoutPageCache = withoutPageCache('memory')

export const oursEverywhere = Object.keys(hosts).flatMap((host) =>
  ['sql', 'rows', 'memory'].map((provider) => ours(provider, host)),
)

/**
 * @param ratio how many times better than `against` the variant must be; `against` is the first server by default
 * @param measure `cpuRatio` (default), `throughputRatio` or `databaseRatio`
 */
export const goal = (variant, ratio, against, measure) => ({
  variant: variant.name,
  ratio,
  against: against?.name,
  measure,
})
