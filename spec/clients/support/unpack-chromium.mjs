/**
 * Unpacks the Chromium that a package of npm brings, with the shared libraries and fonts that it needs, and prints the
 * folder. It is a program of its own, since the package unpacks into the directory for temporary files of its process:
 * here that is a folder beside the packages, which goes when they do.
 */
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))
const source = join(packages, '@sparticuz/chromium')
const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
const target = join(packages, '.cache', `chromium-${version}`)

if (!(await isThere(target))) {
  await mkdir(dirname(target), { recursive: true })
  const staging = await mkdtemp(join(dirname(target), 'unpacking-'))
  try {
    process.env.TMPDIR = staging
    const { default: chromium, inflate } = await import('@sparticuz/chromium')
    await Promise.all([chromium.executablePath(), inflate(join(source, 'bin/al2023.tar.br'))])
    await writeFile(join(staging, 'fonts/fonts.conf'), fontsIn(join(target, 'fonts')))
    // Whoever else unpacked meanwhile has the same.
    await rename(staging, target).catch(async (error) => {
      if (!(await isThere(target))) throw error
    })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}
process.stdout.write(target)

/** Open Sans is all that there must be; what the system has beside it is used for other signs. */
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

async function isThere(path) {
  return stat(path).then(
    () => true,
    () => false,
  )
}
