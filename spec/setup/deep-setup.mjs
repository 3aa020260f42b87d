import { execFileSync } from 'node:child_process'
import globalSetup from './global-setup.mjs'

/** Also builds the package, which specs pack and install. They run at the same time and must not build it themselves. */
export default async function deepSetup() {
  execFileSync('npm', ['run', 'build'], { stdio: 'ignore' })
  await globalSetup()
}
