/** OData V2 services for Express. @packageDocumentation */
export * from './node.js'
export { generateData } from './mock/generate-data.js'
export type { GenerateDataOptions, GeneratedData, GeneratedRow } from './mock/generate-data.js'
export { odataV2 } from './odata-v2.js'
export type { ODataV2Options } from './odata-v2.js'
