/** XML namespaces of the protocol. @spec MS-ODATA 2.2 and MC-EDMX */
export const atomNamespace = 'http://www.w3.org/2005/Atom'
export const appNamespace = 'http://www.w3.org/2007/app'
/** @spec RFC 6721 */
export const tombstoneNamespace = 'http://purl.org/atompub/tombstones/1.0'
export const dataNamespace = 'http://schemas.microsoft.com/ado/2007/08/dataservices'
export const metadataNamespace = `${dataNamespace}/metadata`
export const relatedNamespace = `${dataNamespace}/related/`
export const schemeNamespace = `${dataNamespace}/scheme`
export const edmxNamespace = 'http://schemas.microsoft.com/ado/2007/06/edmx'
export const annotationNamespace = 'http://schemas.microsoft.com/ado/2009/02/edm/annotation'
export const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

/** CSDL 2.0, in which models are written that were not read from XML. */
export const csdl2Namespace = 'http://schemas.microsoft.com/ado/2008/09/edm'

/** Every version of CSDL that a document of an OData service up to version 3 can be written in. */
export const edmNamespaces: ReadonlySet<string> = new Set([
  'http://schemas.microsoft.com/ado/2006/04/edm',
  'http://schemas.microsoft.com/ado/2007/05/edm',
  'http://schemas.microsoft.com/ado/2008/01/edm',
  csdl2Namespace,
  'http://schemas.microsoft.com/ado/2009/11/edm',
])

/** CSDL 4.0, the namespace of vocabulary annotations, which services of version 2 have in their metadata too. */
export const csdl4Namespace = 'http://docs.oasis-open.org/odata/ns/edm'
/** The term of version 4 for `computedDefaultValue`, which CSDL 2.0 lacks. */
export const computedDefaultValueTerm = 'Org.OData.Core.V1.ComputedDefaultValue'
export const edmx4Namespace = 'http://docs.oasis-open.org/odata/ns/edmx'
