// The table of contents, `docs/README.md`: sections with lists of links. The sidebar, the start page and llms.txt follow from it.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { documents } from '../doc-links.mjs'
import { root } from '../run.mjs'

const contentsFile = 'docs/README.md'

/**
 * @typedef {object} Entry
 * @property {string} title
 * @property {string} about what the page has; empty for a page of a folder
 * @property {string} file the document, relative to the repository
 */

/**
 * @typedef {object} Section
 * @property {string} title
 * @property {number} level 2, or 3 for a part of the section before
 * @property {Entry[]} entries
 * @property {string} [folder] the name of a folder whose pages are the last entries
 */

/** The title of a document: its first heading, without marks. @param {string} file */
function titleOf(file) {
  const [, title] = /^# +(.+)$/m.exec(readFileSync(`${root}${file}`, 'utf8')) ?? []
  if (title === undefined) throw new Error(`${file} has no title`)
  return title.replaceAll('`', '')
}

/** @returns {Section[]} */
export function readContents() {
  const sections = []
  for (const line of readFileSync(`${root}${contentsFile}`, 'utf8').split('\n')) {
    const heading = /^(##+) (.+)$/.exec(line)
    if (heading) sections.push({ title: heading[2], level: heading[1].length, entries: [] })
    const link = /^- \[([^\]]+)\]\(([^)]+)\): (.+)$/.exec(line)
    if (link) addEntry(sections.at(-1), link)
  }
  return sections
}

/** Adds the document that a line links to, or those of the folder. */
function addEntry(section, [, title, target, about]) {
  const path = posix.join(posix.dirname(contentsFile), target)
  if (!statSync(join(root, path)).isDirectory()) {
    section.entries.push({ title, about, file: path })
    return
  }
  const names = readdirSync(join(root, path)).filter((name) => name.endsWith('.md'))
  const files = names.map((name) => `${path}/${name}`)
  section.folder = title
  section.entries.push(...files.map((file) => ({ title: titleOf(file), about: '', file })))
}

/** What is wrong with the table of contents: each document is in it once. @returns {string[]} */
export function contentsProblems() {
  const listed = readContents().flatMap(({ entries }) => entries.map(({ file }) => file))
  const needed = documents().filter((file) => file !== 'README.md' && file !== contentsFile)
  const missing = needed.filter((file) => !listed.includes(file))
  const twice = listed.filter((file, index) => listed.indexOf(file) !== index)
  return [
    ...missing.map((file) => `${contentsFile}: ${file} is missing; add a line for it`),
    ...twice.map((file) => `${contentsFile}: ${file} is listed twice`),
  ]
}
