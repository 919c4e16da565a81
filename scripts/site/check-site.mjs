// Checks the built site: every link leads to a page and a heading of it, and no page loads anything from elsewhere.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/** @param {string} folder @returns {string[]} the pages of a built site, relative to it. */
const pagesIn = (folder) =>
  readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.html'))

/**
 * @param {string} folder of the built site
 * @param {string} base the path it is served at
 * @returns {{ pages: number, links: number, problems: string[] }}
 */
export function checkSite(folder, base) {
  const pages = new Map(pagesIn(folder).map((page) => [page, read(folder, page)]))
  const problems = []
  let links = 0
  for (const [page, { targets, loaded }] of pages) {
    for (const target of loaded.filter(isForeign)) problems.push(`${page} loads ${target}`)
    for (const target of new Set([...targets, ...loaded])) {
      if (isForeign(target) || /^(?:mailto|data):/.test(target)) continue
      links += 1
      const problem = problemOf(target, { page, pages, folder, base })
      if (problem !== undefined) problems.push(`${page}: ${target} ${problem}`)
    }
  }
  return { pages: pages.size, links, problems }
}

const isForeign = (target) => /^(?:https?:)?\/\//.test(target)

function read(folder, page) {
  const html = readFileSync(join(folder, page), 'utf8')
  const all = (pattern) => [...html.matchAll(pattern)].map(([, value]) => unescaped(value))
  return {
    ids: new Set(all(/ id="([^"]+)"/g)),
    targets: all(/<a [^>]*?href="([^"]+)"/g),
    loaded: [
      ...all(/<(?:img|script|iframe|source|video|audio)\b[^>]*? src(?:set)?="([^"]+)"/g),
      ...all(/<link [^>]*?href="([^"]+)"/g),
      ...all(/url\(["']?([^"')]+)/g),
    ],
  }
}

const unescaped = (text) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** Why a link leads nowhere. */
function problemOf(target, { page, pages, folder, base }) {
  const [written, anchor] = target.split('#')
  const [path] = decodeURIComponent(written).split('?')
  if (path.startsWith('/') && !path.startsWith(base)) return `is not below ${base}`
  const place = path.startsWith('/')
    ? path.slice(base.length)
    : posix.join(posix.dirname(page), path)
  const file = fileOf(path === '' ? page : place, folder)
  if (file === undefined) return 'does not exist'
  if (anchor === undefined || anchor === '' || !pages.has(file)) return undefined
  return pages.get(file).ids.has(decodeURIComponent(anchor)) ? undefined : 'has no such heading'
}

/** The file that a server sends for a path. */
function fileOf(place, folder) {
  const names = [place, `${place}.html`, posix.join(place, 'index.html')]
  return names.find((name) => {
    const file = join(folder, name)
    return existsSync(file) && statSync(file).isFile()
  })
}
