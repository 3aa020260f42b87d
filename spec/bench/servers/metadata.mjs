/** A service with a model of 1.4 MB. */
import { largeDefinition } from '../start-up/large-model.mjs'
import { serveService } from './hosts.mjs'
import { library } from './serve.mjs'

const odata = await library()
const model = odata.defineModel(largeDefinition(1000))
serveService(odata, '/shop', model, odata.memoryProvider(model, {}))
