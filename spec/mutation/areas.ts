/** The specs that run against a mutant, as paths in `spec`. */
interface Area {
  /** Run against all mutants. */
  readonly near: readonly string[]
  /** Run against mutants that survive the specs above. */
  readonly far: readonly string[]
}

/** Folders of `lib` with specs outside of the folder of the same name. */
const areas: Readonly<Record<string, Area>> = {
  uri: { near: ['uri', 'fuzz/print-and-parse.spec.ts'], far: ['query', 'odata-v2.spec.ts', 'wire'] },
  query: {
    near: ['query', 'resources/sap-restrictions-queries.spec.ts'],
    far: ['evaluation', 'fuzz', 'odata-v2.spec.ts', 'wire', 'resources'],
  },
  evaluation: {
    near: ['evaluation', 'fuzz/evaluation.spec.ts', 'data/prototype-names.spec.ts'],
    far: ['query', 'providers/memory', 'odata-v2.spec.ts', 'wire'],
  },
  'providers/file-system': {
    near: [
      'file-media',
      'file-model',
      'file-provider',
      'file-rows',
      'hidden-files',
      'path-interval',
      'path-key',
      'slug-names',
      'refused-changes',
      'abandoned-uploads',
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
  return areas[known ?? ''] ?? { near: [folder], far: ['odata-v2.spec.ts', 'wire', 'resources'] }
}
