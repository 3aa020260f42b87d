/** OData V2 services for Express. @packageDocumentation */
// What does not need Express is listed there: both entries offer it.
export * from './node.js'
export { odataV2 } from './odata-v2.js'
export type { ODataV2Options, ODataV2Router } from './odata-v2.js'
