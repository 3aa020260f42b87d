// Creates, replaces and deletes files in a directory until the process ends: `node churn-files.mjs <directory>`.
import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const [, , root] = process.argv
const names = ['a.txt', 'b.txt', 'c.txt', 'folder/d.txt']

const changes = [
  (file) => writeFileSync(file, 'x'.repeat(100)),
  (file) => {
    writeFileSync(join(root, 'next.tmp'), 'y'.repeat(200))
    renameSync(join(root, 'next.tmp'), file)
  },
  (file) => unlinkSync(file),
  (file) => {
    unlinkSync(file)
    mkdirSync(file)
  },
  (file) => rmSync(file, { recursive: true }),
  () => rmSync(join(root, 'folder'), { recursive: true }),
  () => mkdirSync(join(root, 'folder')),
]

process.stdin.once('end', () => process.exit()).resume()
process.stdout.write('started\n')
change(0)

function change(count) {
  for (let index = count; index < count + 50; index++) {
    try {
      changes[(index * 7 + (index >> 3)) % changes.length](join(root, names[(index * 5) % names.length]))
    } catch {
      // Another change has removed the file before.
    }
  }
  setImmediate(change, count + 50)
}
