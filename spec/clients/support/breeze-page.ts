import * as breeze from 'breeze-client'
import { DataServiceODataAdapter } from 'breeze-client/adapter-data-service-odata'
import { ModelLibraryBackingStoreAdapter } from 'breeze-client/adapter-model-library-backing-store'
import { UriBuilderODataAdapter } from 'breeze-client/adapter-uri-builder-odata'

/** Bundled for a page in which datajs is: breeze sends nothing to OData services by itself. */
ModelLibraryBackingStoreAdapter.register()
UriBuilderODataAdapter.register()
const { jsonResultsAdapter } = DataServiceODataAdapter.register()

// breeze 2 trips over a link to a single entity that is not expanded, whatever service it comes from.
const { visitNode } = jsonResultsAdapter
jsonResultsAdapter.visitNode = (
  node: Record<string, unknown> | null,
  context: breeze.MappingContext,
  nodeContext: breeze.NodeContext,
) => {
  for (const [name, value] of Object.entries(node ?? {})) {
    if (node !== null && typeof value === 'object' && value !== null && '__deferred' in value)
      node[name] = null
  }
  return visitNode(node, context, nodeContext)
}

Reflect.set(window, 'toolkit', breeze)
