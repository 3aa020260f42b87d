import { execFileSync } from 'node:child_process'
import Sequencer from '@jest/test-sequencer'

/** Runs the specs first whose paths resemble those of changed files, so that a failure appears early. */
export default class NearestFirst extends Sequencer {
  async sort(tests) {
    const changed = changedFiles().map((file) => file.replace(/^(lib|spec)\//, '').split(/[/.]/))
    const nearness = ({ path }) => {
      const parts = path
        .split(/[/\\]spec[/\\]/)
        .at(-1)
        .split(/[/\\.]/)
      return Math.max(0, ...changed.map((file) => commonParts(file, parts)))
    }
    const inOrder = await super.sort(tests)
    return inOrder.toSorted((one, other) => nearness(other) - nearness(one))
  }
}

function changedFiles() {
  const status = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' })
  return status.split('\n').map((line) => line.slice('XY '.length))
}

function commonParts(file, other) {
  const different = file.findIndex((part, index) => part !== other[index])
  return different === -1 ? file.length : different
}
