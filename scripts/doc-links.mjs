// Checks that the links of documents lead to existing files and headings, and that those of packages work on npm.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { root } from './run.mjs'

/** A file of this repository on GitHub, and its heading. Packages link so, because npm shows their README without the rest. */
const ofRepository =
  /^https:\/\/github\.com\/gatehouse\/gatehouse\/(?:blob|tree)\/main\/([^#]*)(#.*)?$/

/** The text of a document without its code. */
const proseOf = (text) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '``')

/** The anchor that GitHub gives a heading. @param {string} heading */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/ /g, '-')

/**
 * A link to GitHub as one within the repository, if it is to a file of it.
 *
 * @param {string} target
 * @param {string} document relative to the repository
 */
export const withinRepository = (target, document) =>
  target.replace(ofRepository, (_, path, anchor = '') => relative(dirname(document), path) + anchor)

/** The headings of a document by anchor. @param {string} file relative to the repository */
function headingsIn(file) {
  const text = readFileSync(`${root}${file}`, 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  const anchors = new Map()
  for (const [, heading] of text.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading.replace(/`/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    let anchor = anchorOf(plain)
    for (let more = 1; anchors.has(anchor); more++) anchor = `${anchorOf(plain)}-${more}`
    anchors.set(anchor, plain)
  }
  return anchors
}

/** The text of the heading that an anchor refers to. */
export function headingAt(file, anchor) {
  const heading = headingsIn(file).get(anchor)
  if (heading === undefined) throw new Error(`${file} has no heading "${anchor}"`)
  return heading
}

/** The documents of the repository: those at its root, the guides, and those of packages and examples. */
export function documents() {
  const readmes = ['packages', 'examples'].flatMap((group) =>
    readdirSync(`${root}${group}`).map((name) => `${group}/${name}/README.md`),
  )
  const guides = readdirSync(`${root}docs`, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
  return [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...guides,
    ...readmes,
  ].filter((name) => existsSync(`${root}${name}`))
}

/** The most lines of a document. Readers of a longer one do not find what they came for: split it by what they do. */
const maxLines = 500

/** The documents that are too long. @param {readonly string[]} names */
export const longDocuments = (names) =>
  names
    .map((name) => ({ name, lines: readFileSync(`${root}${name}`, 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > maxLines)
    .map(
      ({ name, lines }) =>
        `${name} has ${lines} lines; split it, no page has more than ${maxLines}`,
    )

/**
 * Lists the broken links of a document.
 *
 * @param {string} document relative to the repository
 * @returns {string[]} one message for each broken link
 */
export function brokenLinks(document) {
  const problems = []
  const prose = proseOf(readFileSync(`${root}${document}`, 'utf8'))
  for (const [, written] of prose.matchAll(/\]\(([^()\s]+)\)/g)) {
    const target = withinRepository(written, document)
    if (/^[a-z][a-z+.-]*:/.test(target)) continue
    if (target === written && /^packages\/.*README/.test(document) && !written.startsWith('#'))
      problems.push(`${document}: ${written}: npm does not show that file; link to GitHub`)
    const [path, anchor] = target.split('#')
    const file = path === '' ? document : normalize(join(dirname(document), path))
    if (!existsSync(`${root}${file}`))
      problems.push(`${document}: ${target}: ${file} does not exist`)
    else if (anchor !== undefined && statSync(`${root}${file}`).isFile()) {
      if (!headingsIn(file).has(anchor)) {
        problems.push(`${document}: ${target}: ${file} has no heading "${anchor}"`)
      }
    }
  }
  return problems
}
