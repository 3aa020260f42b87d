/** Files as media resources, against the static files of Express. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import { goal, hosts } from './variants.mjs'

const megabyte = 2 ** 20
const sizes = { 'small.bin': 1024, 'middle.bin': megabyte, 'large.bin': 200 * megabyte }

/** Makes the files that are served. */
export function plantMedia(folder) {
  mkdirSync(folder)
  for (const [name, size] of Object.entries(sizes)) {
    const file = openSync(join(folder, name), 'w')
    const chunk = randomFillSync(Buffer.alloc(Math.min(size, megabyte)))
    for (let written = 0; written < size; written += chunk.length) writeSync(file, chunk)
    closeSync(file)
  }
}

const byExpress = { name: 'express.static', server: 'static-files' }
const bySend = { name: 'send, node:http', server: '../opponents/send', opponent: true }

export const servedFiles = (host) => ({
  name: `fileProvider, ${hosts[host].name}`,
  server: 'files',
  settings: { host },
  needs: hosts[host].needs,
  ours: true,
  path: (path) => `/files/Files('${encodeURIComponent(path)}')/$value`,
})
const services = Object.keys(hosts).map(servedFiles)

const media = (name, title, file, ratio, others = {}) => ({
  name: `media-${name}`,
  title,
  resources: ['files'],
  response: 'bytes',
  request: () => ({ path: `/${file}`, headers: others.headers }),
  variants: [byExpress, bySend, ...services],
  goals: [goal(services[0], ratio)],
  ...others,
})

export const mediaWorkloads = [
  media('1kb', 'Media resource of 1 kB', 'small.bin', 0.95),
  media('1mb', 'Media resource of 1 MB', 'middle.bin', 1.8),
  media('range', 'Range of 1 MB of a media resource of 200 MB', 'large.bin', 1, {
    headers: { range: `bytes=${50 * megabyte}-${51 * megabyte - 1}` },
  }),
  media('200mb', 'Media resource of 200 MB', 'large.bin', 1.8, { connections: 1, alone: 1 }),
]
