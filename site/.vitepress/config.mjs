import { posix } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import sidebar from './sidebar.json'

/** Pages whose URL on the site differs from their file. */
const rewrites = { 'README.md': 'index.md', 'docs/README.md': 'docs/index.md' }

/** The pages are the Markdown files of the repository, so that links work on the site and in the repository. */
export default defineConfig({
  title: 'express-odata-v2',
  description: 'OData V2 services for Express',
  lang: 'en',
  // The path of the site on its host, for example /express-odata-v2/.
  base: process.env.SITE_BASE ?? '/',
  srcDir: '..',
  srcExclude: [
    '{api,coverage,dist,lib,sample-app,scripts,site,.github}/**',
    'spec/!(bench)/**',
    'spec/bench/!(RESULTS.md)/**',
  ],
  rewrites,
  vite: { plugins: [resolveVueForPages()] },
  markdown: { anchor: { slugify: toAnchor }, config: rewriteLinks },
  // Services of the examples.
  ignoreDeadLinks: [/^https?:\/\/localhost/],
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Guides', link: '/docs/' },
      { text: 'Reference', link: '/docs/reference/README' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    search: { provider: 'local' },
    outline: [2, 3],
  },
})

/**
 * Finds Vue for pages, which are outside of the folder with the packages.
 *
 * @returns {import('vite').Plugin}
 */
function resolveVueForPages() {
  return {
    name: 'resolve-vue-for-pages',
    enforce: 'pre',
    resolveId(id, importer, options) {
      const isImportOfPage = /^vue(?:\/|$)/.test(id) && importer?.endsWith('.md')
      return isImportOfPage ? this.resolve(id, fileURLToPath(import.meta.url), options) : undefined
    },
  }
}

/** Returns the anchor that GitHub gives a heading. */
function toAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/** VitePress does not apply rewrites to relative links. */
function rewriteLinks(markdown) {
  markdown.core.ruler.push('rewrite-links', ({ tokens, env }) => {
    const folder = posix.dirname(env.relativePath)
    for (const link of tokens.flatMap((token) => token.children ?? [])) {
      const [path, anchor] = (link.attrGet('href') ?? '').split('#')
      const target = rewrites[posix.join(folder, path)]
      if (path === '' || target === undefined) continue
      const href = posix.relative(folder, target)
      link.attrSet('href', anchor === undefined ? href : `${href}#${anchor}`)
    }
  })
}
