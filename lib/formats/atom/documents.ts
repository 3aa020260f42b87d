import { atomNamespace, dataNamespace, metadataNamespace } from '../../xml/namespaces.js'
import type { WriteContext } from '../format.js'

export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>'

/** What the root element of a feed or entry declares. */
export function atomDeclarations({ root }: WriteContext): string {
  return ` xml:base="${root}" xmlns="${atomNamespace}" xmlns:d="${dataNamespace}" xmlns:m="${metadataNamespace}"`
}
