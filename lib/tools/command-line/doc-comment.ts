/** A doc comment of some lines; nothing when there are none. */
export function docComment(lines: readonly string[], indent = ''): string {
  const all = lines
    .flatMap((line) => line.split(/\r?\n/))
    .map((line) => line.trim().replaceAll('*/', '*\\/'))
    .filter((line) => line !== '')
  const [only = ''] = all
  if (all.length === 0) return ''
  if (all.length === 1) return `${indent}/** ${only} */\n`
  return `${indent}/**\n${all.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}
