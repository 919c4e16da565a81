// The pages of the site from the documents of the repository: links lead to pages where there is one, and to GitHub otherwise.
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { withinRepository } from '../doc-links.mjs'
import { root } from '../run.mjs'

/** Where the files that are not on the site are. */
const repository = 'https://github.com/gatehouse/gatehouse'

/** The path of a document's page, without a slash at its start. @param {string} file relative to the repository */
export function pageOf(file) {
  if (file === 'README.md') return 'index.md'
  if (file === 'docs/README.md') return 'contents.md'
  return file
    .replace(/^docs\//, '')
    .replace(/\/README\.md$/, '.md')
    .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase())
}

/**
 * Writes pages.
 *
 * @param {readonly string[]} files documents, relative to the repository
 * @param {string} folder where the pages go
 */
export function writePages(files, folder) {
  const pages = new Map(files.map((file) => [file, pageOf(file)]))
  for (const [file, page] of pages) {
    const text = readFileSync(`${root}${file}`, 'utf8')
    mkdirSync(dirname(`${folder}${page}`), { recursive: true })
    writeFileSync(`${folder}${page}`, convert(text, { file, page, pages }))
  }
  cpSync(`${root}docs/images`, `${folder}images`, { recursive: true })
}

/** Code, in which nothing is a link, comments, pictures and links. */
const parts =
  /^ *```[\s\S]*?^ *```|`[^`\n]*`|<!--[\s\S]*?-->\n*|!\[([^\]]*)\]\(([^()\s]+)\)|\]\(([^()\s]+)\)/gm

/** A document as a page. @param {string} text */
function convert(text, { file, page, pages }) {
  const converted = text.replace(parts, (whole, alt, picture, link) => {
    if (picture !== undefined) return pictureIn(alt, picture, { file, page })
    if (link !== undefined) return `](${targetOf(link, { file, page, pages })})`
    return whole.startsWith('<!--') ? '' : whole
  })
  // The search of the site finds nothing in a page without a title.
  if (!/^# /m.test(converted)) throw new Error(`${file} has no title`)
  return converted
}

/** Where a link of a document leads on the site. */
function targetOf(written, { file, page, pages }) {
  const link = withinRepository(written, file)
  const ofPackage = /^https:\/\/www\.npmjs\.com\/package\/@gatehouse\/([\w-]+)$/.exec(link)
  if (ofPackage) return relativeTo(page, pageOf(`packages/${ofPackage[1]}/README.md`))
  if (/^[a-z][a-z+.-]*:/.test(link) || link.startsWith('#')) return link
  const [path, anchor] = link.split('#')
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, '')
  const hash = anchor === undefined ? '' : `#${anchor}`
  const known = [target, `${target}/README.md`].find((name) => pages.has(name))
  if (known !== undefined) return relativeTo(page, pages.get(known)) + hash
  if (target === 'docs/decisions') return `${relativeTo(page, 'contents.md')}#understand`
  const kind = statSync(`${root}${target}`).isDirectory() ? 'tree' : 'blob'
  return `${repository}/${kind}/main/${target}${hash}`
}

/** A picture. One in light or dark colors follows the colors of the page. */
function pictureIn(alt, picture, { file, page }) {
  const target = posix.join(posix.dirname(file), picture)
  const place = (name) => relativeTo(page, name.replace(/^docs\//, ''))
  const both = ['light', 'dark'].map((colors) => [
    colors,
    target.replace(/-(?:light|dark)\.png$/, `-${colors}.png`),
  ])
  if (!both.every(([, name]) => existsSync(`${root}${name}`)) || both[0][1] === both[1][1])
    return `![${alt}](${place(target)})`
  return both
    .map(([colors, name]) => `<img class="only-${colors}" alt="${alt}" src="${place(name)}">`)
    .join('')
}

/** A relative path from one page to another. */
function relativeTo(from, to) {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
