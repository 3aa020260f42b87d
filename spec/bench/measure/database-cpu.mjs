/** The CPU time of a PostgreSQL server, from the process table of Linux. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Microseconds of a tick, in which Linux counts. */
const TICK = 10_000

/**
 * Microseconds of CPU time of all processes of a server, those of closed connections included; undefined where the
 * system does not tell.
 *
 * @param folder the one that `startPostgres` returned
 */
export function databaseCpu(folder) {
  if (folder === undefined || !existsSync('/proc/self/stat')) return undefined
  const [postmaster] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
  let total = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = statOf(pid)
    if (pid === postmaster) total += (stat.own + stat.reaped) * TICK
    else if (stat?.parent === postmaster) total += runTimeOf(pid) ?? stat.own * TICK
  }
  return total
}

/** Microseconds of CPU time of all processes with a name; undefined where the system does not tell. */
export function processCpu(name) {
  if (!existsSync('/proc/self/stat')) return undefined
  const isNamed = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name
    } catch {
      return false
    }
  }
  const pids = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isNamed(pid))
  return pids.reduce((ticks, pid) => ticks + statOf(pid).own, 0) * TICK
}

/**
 * Microseconds that the scheduler has counted in nanoseconds: the hundredths of a second of each connection would add up to
 * a fifth of the time of small requests. Undefined where the system does not tell, or for a process that has ended.
 */
function runTimeOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
  } catch {
    return undefined
  }
}

function statOf(pid) {
  try {
    // The name of the program, in parentheses, may hold blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [user, system, reapedUser, reapedSystem] = fields.slice(11, 15).map(Number)
    return { parent: fields[1], own: user + system, reaped: reapedUser + reapedSystem }
  } catch {
    // The process has ended meanwhile.
    return { parent: undefined, own: 0, reaped: 0 }
  }
}
