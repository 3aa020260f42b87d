/** The specs that run against a mutant, as paths in `spec`. */
interface Area {
  /** Run against all mutants. */
  readonly near: readonly string[]
  /** Run against mutants that survive the specs above. */
  readonly far: readonly string[]
}

/** Folders of `lib` with specs outside of the folder of the same name. */
const areas: Readonly<Record<string, Area>> = {
  uri: { near: ['uri', 'fuzz/print-and-parse.spec.ts'], far: ['query', 'service.spec.ts', 'wire'] },
  query: {
    near: ['query', 'resources/sap-restrictions-queries.spec.ts'],
    far: ['evaluation', 'fuzz', 'service.spec.ts', 'wire', 'resources'],
  },
  evaluation: {
    near: ['evaluation', 'fuzz/evaluation.spec.ts', 'provider/prototype-names.spec.ts'],
    far: ['query', 'providers/memory', 'service.spec.ts', 'wire'],
  },
  'providers/file-system': {
    near: [
      'file-media',
      'file-model',
      'file-provider',
      'file-rows',
      'hidden-files',
      'listing-cache',
      'path-interval',
      'path-key',
      'slug-names',
      'refused-changes',
      'abandoned-uploads',
      'checked-directories',
      'write-contract',
      'writes',
    ].map((name) => `providers/file-system/${name}.spec.ts`),
    // Includes specs that take seconds.
    far: ['providers/file-system'],
  },
}

/** @param folder below `lib`, for example `query/canonical-functions` */
export function areaOf(folder: string): Area {
  const parts = folder.split('/')
  const known = parts.map((_part, index) => parts.slice(0, index + 1).join('/')).find((path) => path in areas)
  return areas[known ?? ''] ?? { near: [folder], far: ['service.spec.ts', 'wire', 'resources'] }
}
