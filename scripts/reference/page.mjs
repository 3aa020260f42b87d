/** What the exports of an entry are about, in the order of a page, by the folder that they are from. */
const subjects = [
  ['Services', /^lib\/(odata-v2|request-listener|options|start-service|http|formats\/export)/],
  ['Models', /^lib\/(edm|csdl|tools\/model-diff|xml)/],
  ['OpenAPI', /^lib\/tools\/openapi/],
  ['Ready-made providers', /^lib\/(providers|tools\/mock)/],
  ['Authorization and hooks', /^lib\/provider\/(authorize|filter-template|hooks|messages)/],
  ['Providers of your own', /^lib\/provider\/|^lib\/evaluation/],
  ['Conditions and expressions', /^lib\/query/],
  ['Errors', /^lib\/errors/],
  ['Observability', /^lib\/diagnostics/],
  ['Audit', /^lib\/tools\/audit/],
]

const introduction = 'Made from the comments in the code by `npm run docs`: change them there.'

/** The page that lists all others. */
export function overviewPage(entries) {
  const rows = entries.map(({ name, page, about }) => `| [\`${name}\`](${page}.md) | ${about} |`)
  return [
    '# Reference',
    `Everything that the package exports. ${introduction} The [guides](../README.md) show how it is used.`,
    ['| Import from | |', '| --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}

/** The page of one entry point. What another entry exports as well is described on the first page that has it. */
export function referencePage(entry, entries) {
  const earlier = entries.slice(0, entries.indexOf(entry))
  const elsewhere = (one) => earlier.find(({ exports }) => exports.some((other) => isSame(one, other)))
  const own = entry.exports.filter((one) => elsewhere(one) === undefined)
  const shared = entry.exports.filter((one) => elsewhere(one) !== undefined)
  const link = linker(entry, entries)
  return [
    `# ${entry.name}`,
    `${entry.about} ${introduction}`,
    `\`\`\`js\nimport { ${valuesOf(entry)} } from '${entry.name}'\n\`\`\``,
    ...contents(own),
    ...sharedWith(shared, elsewhere),
    ...bySubject(own).flatMap(([subject, exports]) => [
      ...(subject === undefined ? [] : [`## ${subject}`]),
      ...exports.flatMap((one) => exportText(one, own, link)),
    ]),
  ].join('\n\n')
}

function isSame(one, other) {
  return one.name === other.name && one.file === other.file
}

function valuesOf({ exports }) {
  return exports
    .filter(({ isValue }) => isValue)
    .map(({ name }) => name)
    .join(', ')
}

/** Values come before types. */
function bySubject(exports) {
  const groups = subjects
    .map(([subject, pattern]) => [subject, exports.filter((one) => subjectOf(one) === pattern)])
    .filter(([, group]) => group.length > 0)
    .map(([subject, group]) => [
      subject,
      [...group.filter(({ isValue }) => isValue), ...group.filter(({ isValue }) => !isValue)],
    ])
  return groups.length === 1 ? [[undefined, groups[0][1]]] : groups
}

function subjectOf({ name, file }) {
  const subject = subjects.find(([, pattern]) => pattern.test(file))
  if (subject === undefined) throw new Error(`The reference has no place for '${name}' of ${file}.`)
  return subject[1]
}

function contents(own) {
  if (own.length === 0) return []
  const rows = bySubject(own).map(([subject, exports]) => {
    const names = exports.map(({ name }) => `[${name}](#${anchor(heading(name, own))})`).join(', ')
    return subject === undefined ? names : `- ${subject}: ${names}`
  })
  return [rows.join('\n')]
}

/** Where an entry is another one with something left out, what it lacks is said. */
function sharedWith(shared, elsewhere) {
  if (shared.length === 0) return []
  const owner = elsewhere(shared[0])
  const lacks = owner.exports.filter((one) => !shared.some((other) => isSame(one, other)))
  const names = lacks.map(({ name }) => `[${name}](${owner.page}.md#${anchor(heading(name, owner.exports))})`)
  return [
    `What it exports is described with [\`${owner.name}\`](${owner.page}.md). Of that it lacks ${names.join(', ')}.`,
  ]
}

/** Addresses within a page have no capitals: of two names that differ in these only, the later one is the type. */
function heading(name, exports) {
  const twin = exports.find((one) => one.name !== name && anchor(one.name) === anchor(name))
  return twin?.isValue ? `${name} (type)` : name
}

function anchor(text) {
  return text.toLowerCase().replace(/[()]/g, '').replaceAll(' ', '-')
}

/** Turns `{@link Name}` into a link to where the name is described, or into code. */
function linker(entry, entries) {
  const pages = [entry, ...entries.filter((other) => other !== entry)]
  return (text) =>
    text.replace(/\{@link (\S+?)\}/g, (_, name) => {
      const owner = pages.find(({ exports }) => exports.some((one) => one.name === name))
      if (owner === undefined) return `\`${name}\``
      return `[\`${name}\`](${owner === entry ? '' : `${owner.page}.md`}#${anchor(heading(name, owner.exports))})`
    })
}

function exportText({ name, code, members, comment }, own, link) {
  return [
    `### ${heading(name, own)}`,
    `\`\`\`ts\n${code}\n\`\`\``,
    ...sentences(comment, link),
    ...(members.length === 0
      ? []
      : ['Members:', members.map((member) => memberText(member, link)).join('\n')]),
    ...comment.tags
      .filter((tag) => tag.name === 'example')
      .map(({ text }) => `Example:\n\n\`\`\`ts\n${text}\n\`\`\``),
  ]
}

/** The text of a comment and its tags but examples. */
function sentences({ text, tags }, link) {
  const named = (name) => tags.filter((tag) => tag.name === name)
  const parameters = [...named('typeParam'), ...named('param')].map(
    ({ about, text: said }) => `- \`${about}\`: ${link(said).replace(/^- /, '')}`,
  )
  return [
    ...(text === '' ? [] : [link(text)]),
    ...(parameters.length === 0 ? [] : [parameters.join('\n')]),
    ...named('returns').map(({ text: said }) => `Returns ${link(said)}.`.replace(/\.\.$/, '.')),
    ...named('throws').map(({ text: said }) => `Throws ${link(said)}.`.replace(/\.\.$/, '.')),
    ...named('spec').map(({ text: said }) => `Specification: ${said}.`),
  ]
}

function memberText({ code, comment }, link) {
  const said = sentences(comment, link).map((part) => part.replaceAll('\n', '\n  '))
  const [first, ...rest] = said
  const head = `- \`\`${code.includes('`') ? ` ${code} ` : code}\`\`${first === undefined ? '' : `: ${first}`}`
  return [head, ...rest.map((part) => `  ${part}`)].join('\n\n')
}
