import { escapeText } from '../../xml/escape-xml.js'
import { dataNamespace, metadataNamespace } from '../../xml/namespaces.js'
import type { LinksWriter } from '../format.js'
import { xmlDeclaration } from './documents.js'

/** @spec MS-ODATA 2.2.6.2.9 (links as XML) */
export const linksWriter: LinksWriter = {
  open(inlineCount) {
    const opening = `${xmlDeclaration}<links xmlns="${dataNamespace}"`
    if (inlineCount === undefined) return `${opening}>`
    return `${opening} xmlns:m="${metadataNamespace}"><m:count>${inlineCount}</m:count>`
  },
  link: (uri) => `<uri>${escapeText(uri)}</uri>`,
  close: (next) => (next === undefined ? '</links>' : `<next>${escapeText(next)}</next></links>`),
}

export function linkDocument(uri: string): string {
  return `${xmlDeclaration}<uri xmlns="${dataNamespace}">${escapeText(uri)}</uri>`
}
