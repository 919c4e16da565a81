// Checks that the links of documents lead to existing files and headings.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from './run.mjs'

/** The text of a document without its code. */
const proseOf = (text) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '``')

/** The anchor that GitHub gives a heading. @param {string} heading */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/ /g, '-')

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
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...guides, ...readmes].filter((name) =>
    existsSync(`${root}${name}`),
  )
}

/**
 * Lists the broken links of a document.
 *
 * @param {string} document relative to the repository
 * @returns {string[]} one message for each broken link
 */
export function brokenLinks(document) {
  const problems = []
  const prose = proseOf(readFileSync(`${root}${document}`, 'utf8'))
  for (const [, target] of prose.matchAll(/\]\(([^()\s]+)\)/g)) {
    if (/^[a-z][a-z+.-]*:/.test(target)) continue
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
