/**
 * Compiles the style sheets of the OpenUI5 libraries that the page loads, because the packages contain only their
 * sources. Writes them below `node_modules`, and prints their folder.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Builder } from 'less-openui5'

const libraries = ['sap/ui/core', 'sap/ui/unified', 'sap/ui/table', 'sap/m']
const theme = 'themes/sap_horizon'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))
const { version } = JSON.parse(
  await readFile(join(packages, '@openui5/themelib_sap_horizon/package.json'), 'utf8'),
)
const target = join(packages, '.cache', `openui5-theme-${version}`)

if (!(await exists(target))) {
  await mkdir(dirname(target), { recursive: true })
  const staging = await mkdtemp(join(dirname(target), 'theme-'))
  try {
    const names = await readdir(join(packages, '@openui5'))
    const rootPaths = names.map((name) => join(packages, '@openui5', name, 'src'))
    const builder = new Builder()
    for (const library of libraries) {
      const { css } = await builder.build({
        lessInputPath: `/${library}/${theme}/library.source.less`,
        rootPaths,
        library: { name: library.replaceAll('/', '.') },
        rtl: false,
      })
      await mkdir(join(staging, library, theme), { recursive: true })
      await writeFile(join(staging, library, theme, 'library.css'), css)
    }
    // Another process may have created the same folder in the meantime.
    await rename(staging, target).catch(async (error) => {
      if (!(await exists(target))) throw error
    })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}
process.stdout.write(target)

async function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  )
}
