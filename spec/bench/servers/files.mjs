/** Files as media resources of this package. */
import { library, settings } from './serve.mjs'
import { serveService } from './hosts.mjs'

const odata = await library()
serveService(odata, '/files', odata.fileModel, odata.fileProvider(settings.files), settings.options)
