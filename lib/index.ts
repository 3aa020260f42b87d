/** OData V2 services for Express. @packageDocumentation */
// The exports of node.ts do not need Express.
export * from './node.js'
export { odataV2 } from './odata-v2.js'
export type { ODataV2Options, ODataV2Router } from './odata-v2.js'
