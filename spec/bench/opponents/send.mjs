/** Files by what the static middleware of Express is made of, without Express. */
import send from 'send'
import { serve, settings } from '../servers/serve.mjs'

serve((req, res) => send(req, req.url, { root: settings.files }).pipe(res))
