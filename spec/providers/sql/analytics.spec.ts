import { describeGroupsOf } from '../../contracts/group-contract.js'
import { describeDatabases } from '../../support/sql/databases.js'

describeDatabases(({ kind, open }) => {
  describeGroupsOf(kind, open)
})
