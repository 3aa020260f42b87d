#!/usr/bin/env node
import { run } from './run.js'

const output = {
  print: (line: string): void => {
    console.log(line)
  },
  complain: (line: string): void => {
    console.error(line)
  },
}

async function main(): Promise<void> {
  const result = await run(process.argv.slice(2), output)
  if (typeof result === 'number') {
    process.exitCode = result
    return
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      result.stop().catch((error: unknown) => {
        console.error(error)
        process.exitCode = 1
      })
    })
  }
}

void main()
