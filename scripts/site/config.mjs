// The settings of VitePress: the sidebar follows from the table of contents.
import { mkdirSync, writeFileSync } from 'node:fs'
import { root } from '../run.mjs'
import { pageOf } from './pages.mjs'

const withoutFonts = 'vitepress/theme-without-fonts'

const linkTo = (page) => `/${page.replace(/(?:index)?\.md$/, '')}`

/**
 * The sidebar: sections, in which parts and folders open and close.
 *
 * @param {readonly import('./contents.mjs').Section[]} contents
 * @param {readonly { title: string, pages: readonly { title: string, page: string }[] }[]} generated parts of "Reference"
 */
function sidebarOf(contents, generated) {
  const sidebar = []
  for (const { title, level, folder, entries } of contents) {
    const links = entries.map(({ title, file }) => ({ text: title, link: linkTo(pageOf(file)) }))
    const isOfFolder = (index) => folder !== undefined && entries[index].about === ''
    const items = links.filter((_, index) => !isOfFolder(index))
    if (folder !== undefined) {
      const below = links.filter((_, index) => isOfFolder(index))
      items.push({ text: folder, collapsed: true, items: below })
    }
    if (level === 2) sidebar.push({ text: title, items })
    else sidebar.at(-1).items.push({ text: title, collapsed: true, items })
  }
  const reference = sidebar.find(({ text }) => text === 'Reference')
  for (const { title, pages } of generated) {
    const items = pages.map(({ title, page }) => ({ text: title, link: linkTo(page) }))
    reference.items.push({ text: title, collapsed: true, items })
  }
  return sidebar
}

/** Writes the settings and the theme below the pages. */
export function writeConfig(folder, { contents, generated, base, vitepress }) {
  const [start, ...others] = contents.filter(({ level }) => level === 2)
  const reference = others.find(({ title }) => title === 'Reference')
  const sidebar = sidebarOf(contents, generated)
  const apiSidebar = sidebarOf([{ ...reference, entries: [] }], generated)
  for (const part of apiSidebar[0].items) part.collapsed = part.text !== 'API'
  const settings = {
    title: 'Gatehouse',
    description: 'Alertmanager, sign-in flows and a webhook runner as one TypeScript library',
    lang: 'en',
    base,
    head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }]],
    // check-site.mjs checks them, with their headings.
    ignoreDeadLinks: true,
    outDir: '../dist',
    cacheDir: '../cache',
    // One file of hashes for all pages, instead of a copy in each.
    metaChunk: true,
    vite: {
      resolve: {
        // VitePress is not below node_modules of this repository.
        alias: { [withoutFonts]: `${vitepress}dist/client/theme-default/without-fonts.js` },
      },
    },
    themeConfig: {
      logo: '/favicon.svg',
      nav: [
        { text: start.title, link: linkTo(pageOf(start.entries[0].file)) },
        { text: 'Contents', link: '/contents' },
        ...generated.map(({ title, pages }) => ({ text: title, link: linkTo(pages[0].page) })),
        { text: others.at(-1).title, link: linkTo(pageOf(others.at(-1).entries[0].file)) },
      ],
      // The list of all pages would be most of each page of the reference.
      sidebar: { '/api/': apiSidebar, '/': sidebar },
      outline: { level: [2, 3] },
      externalLinkIcon: true,
    },
  }
  mkdirSync(`${folder}.vitepress`, { recursive: true })
  const lines = [
    `import { markdown } from '${root}scripts/site/markdown.mjs'`,
    `import { search } from '${root}scripts/site/search.mjs'`,
    `const settings = ${JSON.stringify(settings)}`,
    'export default { ...settings, markdown, themeConfig: { ...settings.themeConfig, search } }',
    '',
  ]
  writeFileSync(`${folder}.vitepress/config.mjs`, lines.join('\n'))
}
