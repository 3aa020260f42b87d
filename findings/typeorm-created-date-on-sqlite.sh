#!/usr/bin/env bash
# typeorm 1.1.1 with sql.js 1.17.0: conditions on the time at which a row was created.
#
# A column that TypeORM fills itself (`createDate: true`, `@CreateDateColumn`) gets its value from the default datetime('now') of SQLite,
# text without milliseconds. Dates of conditions are text with milliseconds, which is a different and greater text. A condition with the
# value of an entity takes its row for an earlier one: `=` and `>=` do not find it, `<` does, so that pages by creation time skip or
# repeat rows. The next save of the entity does not repair it. Dates that the application sets itself are right.
#
# Output seen:
#   stored created: without milliseconds, changed: with milliseconds
#   created: = 0, >= 0, < 1
#   changed: = 1, >= 1, < 0
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund typeorm@1.1.1 sql.js@1.17.0

cat >run.cjs <<'SCRIPT'
const { DataSource, EntitySchema, LessThan, MoreThanOrEqual } = require('typeorm')

const Post = new EntitySchema({
  name: 'Post',
  columns: {
    id: { type: Number, primary: true },
    name: { type: String },
    created: { type: 'datetime', createDate: true },
    changed: { type: 'datetime' },
  },
})

async function main() {
  const source = new DataSource({ type: 'sqljs', entities: [Post], synchronize: true })
  await source.initialize()
  const posts = source.getRepository(Post)
  await posts.save({ id: 1, name: 'a', changed: new Date('2026-01-15T08:00:00Z') })
  const [post] = await posts.find()
  await posts.save({ ...post, name: 'b' })
  const [stored] = await source.query('select created, changed from post')
  const kindOf = (text) => (/:\d\d\.\d{3}$/.test(text) ? 'with' : 'without')
  const lines = [`stored created: ${kindOf(stored.created)} milliseconds, changed: ${kindOf(stored.changed)} milliseconds`]
  for (const name of ['created', 'changed']) {
    const equal = await posts.countBy({ [name]: post[name] })
    const from = await posts.countBy({ [name]: MoreThanOrEqual(post[name]) })
    const before = await posts.countBy({ [name]: LessThan(post[name]) })
    lines.push(`${name}: = ${equal}, >= ${from}, < ${before}`)
  }
  await source.destroy()
  console.log(lines.join('\n'))
  const expected = [
    'stored created: without milliseconds, changed: with milliseconds',
    'created: = 0, >= 0, < 1',
    'changed: = 1, >= 1, < 0',
  ]
  process.exit(String(lines) === String(expected) ? 0 : 1)
}
void main()
SCRIPT
node run.cjs
