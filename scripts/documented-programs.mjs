// The files that a page of the documentation shows, for tests that run them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './run.mjs'

/** A paragraph that ends in a colon, and the block of code after it. */
const blocks = /(?<=^|\n\n)((?:.+\n)*?.+):\n\n```(?:js|tsx?)\n([\s\S]*?)\n```/g

const names = /`([\w.[\]/-]+\.(?:mjs|[jt]sx?))`/g

/**
 * The blocks of code after a paragraph that ends in a colon, each in the last file that the paragraph names.
 *
 * @param {string} page such as `docs/next.md`
 * @returns {readonly { file: string, code: string }[]}
 */
export function programsOf(page) {
  const text = readFileSync(`${root}${page}`, 'utf8')
  return [...text.matchAll(blocks)].flatMap(([, paragraph, code]) => {
    const file = [...paragraph.matchAll(names)].at(-1)?.[1]
    return file === undefined ? [] : [{ file, code: `${code}\n` }]
  })
}

/**
 * Writes the files that a page shows.
 *
 * @param {string} page such as `docs/next.md`
 * @param {string} folder
 */
export function writePrograms(page, folder) {
  for (const { file, code } of programsOf(page)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
}
