// llms.txt: the table of contents for programs that read documentation, with links to the pages as Markdown.
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { pageOf } from './pages.mjs'

/**
 * Copies the pages as Markdown beside the built ones, and writes the list of them.
 *
 * @param {string} pages folder of the Markdown
 * @param {string} built folder of the site
 * @see https://llmstxt.org
 */
export function writeLlms(pages, built, { contents, generated, base, about }) {
  for (const name of readdirSync(pages, { recursive: true })) {
    // The first page has its content in settings.
    if (name.endsWith('.md') && name !== 'index.md') cpSync(`${pages}${name}`, `${built}${name}`)
  }
  const lines = ['# Gatehouse', '', `> ${about}`]
  for (const { title, entries } of contents) {
    if (entries.length === 0) continue
    lines.push('', `## ${title}`, '')
    for (const entry of entries) {
      const more = entry.about === '' ? '' : `: ${entry.about}`
      lines.push(`- [${entry.title}](${base}${pageOf(entry.file)})${more}`)
    }
  }
  for (const { title, pages: parts } of generated) {
    lines.push('', `## ${title}`, '')
    for (const part of parts) lines.push(`- [${part.title}](${base}${part.page})`)
  }
  writeFileSync(`${built}llms.txt`, `${lines.join('\n')}\n`)
}
