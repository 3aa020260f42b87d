import { openMysql } from '../support/sql/mysql-server.js'
import { describeVersionTags } from '../support/sql/version-tags.js'

describeVersionTags('mysql', async () => ({ db: await openMysql() }))
