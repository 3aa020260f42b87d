/**
 * Unpacks Chromium from an npm package, with its shared libraries and fonts, and prints the folder. Runs as a separate
 * process, because the package unpacks into the temporary directory of the process. Here that is a folder below
 * `node_modules`.
 */
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))
const source = join(packages, '@sparticuz/chromium')
const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
const target = join(packages, '.cache', `chromium-${version}`)

if (!(await exists(target))) {
  await mkdir(dirname(target), { recursive: true })
  const staging = await mkdtemp(join(dirname(target), 'unpacking-'))
  try {
    process.env.TMPDIR = staging
    const { default: chromium, inflate } = await import('@sparticuz/chromium')
    await Promise.all([chromium.executablePath(), inflate(join(source, 'bin/al2023.tar.br'))])
    await writeFile(join(staging, 'fonts/fonts.conf'), fontsIn(join(target, 'fonts')))
    // Another process may have created the same folder in the meantime.
    await rename(staging, target).catch(async (error) => {
      if (!(await exists(target))) throw error
    })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}
process.stdout.write(target)

/** Returns the configuration of fonts. Only Open Sans is required; fonts of the system are used for other characters. */
function fontsIn(folder) {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/cache</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>DejaVu Serif</family><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family><family>Open Sans</family></prefer></alias>
</fontconfig>
`
}

async function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  )
}
