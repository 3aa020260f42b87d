/** Existing OData V2 services, served again. @packageDocumentation */
export { openV2 } from './providers/v2/open-v2.js'
export type { DerivedOptions, OpenedService } from './providers/upstream/open-service.js'
export type { V2Options } from './providers/v2/v2-options.js'
export type { UpstreamOptions } from './providers/upstream/upstream-options.js'
export type { V4SetOptions } from './csdl/v4/build-v4-sets.js'
