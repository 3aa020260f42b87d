/** All benchmarks there are. */
import { runGrowth } from './measure/growth.mjs'
import { runMeanwhile } from './measure/meanwhile.mjs'
import { runStream } from './measure/stream.mjs'
import { runAgainstOthers } from './measure/opponents.mjs'
import { runPaired } from './measure/paired.mjs'
import { runAgainstBefore } from './measure/revision.mjs'
import { runFurtherServices, runStartUp } from './measure/start-up.mjs'
import { exportWorkloads, meanwhile } from './workloads/exports.mjs'
import { growths, streams } from './workloads/growth.mjs'
import { mediaWorkloads } from './workloads/media.mjs'
import { metadataWorkloads } from './workloads/metadata.mjs'
import { mysqlWorkloads } from './workloads/mysql.mjs'
import { postgresWorkloads } from './workloads/postgres.mjs'
import { rightsWorkloads } from './workloads/rights.mjs'
import { saveWorkloads } from './workloads/saves.mjs'
import { shopWorkloads } from './workloads/shop.mjs'
import { shortcuts } from './workloads/shortcuts.mjs'

const runWorkload = (workload, bench) =>
  bench.before === undefined ? runAgainstOthers(workload, bench) : runAgainstBefore(workload, bench)

const startUp = {
  name: 'start-up',
  title: 'Start-up, in relation to loading Express, and with more entity types',
  run: runStartUp,
}

const furtherServices = {
  name: 'further-services',
  title: 'A further service of a model with 1,000 entity types',
  run: runFurtherServices,
}

/** Each with a name, a title, and a function that runs it and returns a report in Markdown and its goals. */
export const benchmarks = [
  ...[
    ...shopWorkloads,
    ...saveWorkloads,
    ...mediaWorkloads,
    ...postgresWorkloads,
    ...mysqlWorkloads,
    ...exportWorkloads,
    ...metadataWorkloads,
    ...shortcuts,
  ].map((one) => ({
    ...one,
    run: runWorkload,
  })),
  ...rightsWorkloads.map((one) => ({
    ...one,
    run: (workload, bench) =>
      bench.before === undefined ? runPaired(workload, bench) : runAgainstBefore(workload, bench),
  })),
  ...growths.map((one) => ({ ...one, run: runGrowth })),
  ...streams.map((one) => ({ ...one, run: runStream })),
  ...meanwhile.map((one) => ({ ...one, run: runMeanwhile })),
  startUp,
  furtherServices,
]
