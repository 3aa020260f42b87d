import type { Command } from './command.js'

/** What is known of a command before it is loaded. */
export interface CommandRow {
  /** What it is for, in a line. */
  readonly summary: string
  /** Loads it, and only then what it needs. */
  readonly load: () => Promise<Command>
}

/** The commands of the program by name, in the order of its help. */
export const commandTable: Readonly<Record<string, CommandRow>> = {
  serve: {
    summary: 'serve a directory, a database or a model with rows as an OData V2 service',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  import: {
    summary: 'write the model of a metadata document or database as a TypeScript module',
    load: async () => (await import('./commands/import.js')).importCommand,
  },
  types: {
    summary: 'write TypeScript interfaces for the rows of a service or database',
    load: async () => (await import('./commands/types.js')).typesCommand,
  },
  docs: {
    summary: 'write the model of a service or database as Markdown, with a diagram',
    load: async () => (await import('./commands/docs.js')).docsCommand,
  },
  diff: {
    summary: 'say what clients of one model find different in another, and what breaks them',
    load: async () => (await import('./commands/diff.js')).diffCommand,
  },
  openapi: {
    summary: 'write an OpenAPI document of a service',
    load: async () => (await import('./commands/openapi.js')).openApiCommand,
  },
  audit: {
    summary: 'check whether a service keeps to the protocol',
    load: async () => (await import('./commands/audit.js')).auditCommand,
  },
}
