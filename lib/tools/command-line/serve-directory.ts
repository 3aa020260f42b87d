import { fileModel } from '../../providers/file-system/file-model.js'
import { fileProvider } from '../../providers/file-system/file-provider.js'
import type { ServedSource } from './served-source.js'
import { reasonOf, SourceError } from './faults.js'

/** The files and directories below a directory. */
export function serveDirectory(directory: string): ServedSource {
  try {
    return {
      title: `the files below ${directory}`,
      model: fileModel,
      provider: fileProvider(directory),
      notices: [],
      isChangeable: false,
      close: () => Promise.resolve(),
    }
  } catch (error) {
    throw new SourceError(reasonOf(error))
  }
}
