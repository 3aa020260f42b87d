import type { EdmModel } from '../../edm/edm-model.js'
import type { PageFile } from './page-files.js'

/** A sheet with three rows: what the page shows. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230a6ed1'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='%23fff' stroke-width='1.5'/%3E%3C/svg%3E"

/** Where the page stands, and what is beside it. */
export interface PagePlace {
  /** What stands before addresses below the service root. */
  readonly prefix: string
  /** The address that answers of the service start with, by which the script knows them. */
  readonly root: string
  readonly hasOpenApi: boolean
}

/** The page before its script runs. Whoever has no scripts still sees what the service has. */
export function explorerPage(
  model: EdmModel,
  files: readonly PageFile[],
  { prefix, root, hasOpenApi }: PagePlace,
): string {
  const version = (name: PageFile['name']): string => files.find((file) => file.name === name)?.version ?? ''
  const address = (name: PageFile['name']): string => escaped(`${prefix}$explorer/${name}?${version(name)}`)
  const title = escaped(titleOf(model))
  const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets)
  const links = sets.map(({ path }) => link(`${prefix}${encodeURIComponent(path)}`, path))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${address('explorer.css')}">
<script src="${address('explorer.js')}" defer></script>
</head>
<body data-root="${escaped(root)}"${hasOpenApi ? ' data-openapi' : ''}>
<noscript>
<h1>${title}</h1>
<p>This page needs JavaScript. The service answers without it:</p>
<ul>${link(`${prefix}$metadata`, '$metadata')}${links.join('')}</ul>
</noscript>
</body>
</html>
`
}

/** The name of the container that is meant when none is named. */
function titleOf({ entityContainers }: EdmModel): string {
  const container = entityContainers.find(({ isDefault }) => isDefault) ?? entityContainers[0]
  return container?.name ?? 'OData service'
}

function link(address: string, text: string): string {
  return `<li><a href="${escaped(address)}">${escaped(text)}</a></li>`
}

/** Also within quotes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
