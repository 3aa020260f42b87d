/** V4 services served as OData V2. @packageDocumentation */
export { readV4Csdl } from './csdl/v4/read-v4-csdl.js'
export type { V4CsdlOptions } from './csdl/v4/read-v4-csdl.js'
export type { V4SetOptions } from './csdl/v4/build-v4-sets.js'
export { openV4 } from './providers/v4/open-v4.js'
export type { DerivedOptions, OpenedService } from './providers/upstream/open-service.js'
export type { V4Options } from './providers/v4/v4-options.js'
export type { UpstreamOptions } from './providers/upstream/upstream-options.js'
