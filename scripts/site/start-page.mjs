// The first page of the site: what README says, in the form of VitePress' home page.
import { readFileSync, writeFileSync } from 'node:fs'
import { root } from '../run.mjs'
import { pageOf } from './pages.mjs'

/** The parts of README: its first paragraph, its list of services, and the rest up to "More". */
function readmeParts() {
  const text = readFileSync(`${root}README.md`, 'utf8')
  const found = /^# (.+)\n\n(.+?)\n\n((?:- \*\*.+\n(?: {2}.+\n)*)+)/s.exec(text)
  if (found === null) throw new Error('README.md does not begin with a paragraph and a list')
  const [, name, about, list] = found
  const services = [...list.matchAll(/^- \*\*(.+?)\*\*: ((?:.+\n?)(?: {2}.+\n?)*)/gm)]
  return {
    name,
    about: plain(about),
    services: services.map(([, title, details]) => ({ title, details: sentence(plain(details)) })),
  }
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1)
const plain = (text) => text.replace(/\s+/g, ' ').replaceAll('**', '').replaceAll('`', '').trim()

/**
 * Puts the home page's settings before the page of README, and takes away what they repeat.
 *
 * @param {string} folder of the pages
 * @param {readonly import('./contents.mjs').Section[]} contents
 * @returns {string} what Gatehouse is, in a paragraph.
 */
export function writeStartPage(folder, contents) {
  const { name, about, services } = readmeParts()
  const [first, ...rest] = about.split(/(?<=\.) /)
  const linkTo = ({ file }) => `/${pageOf(file).replace(/\.md$/, '')}`
  const starts = contents.find(({ title }) => title === 'Start').entries.slice(0, services.length)
  const settings = {
    layout: 'home',
    title: name,
    titleTemplate: 'Alertmanager, sign-in and webhooks for Node.js',
    hero: {
      name,
      text: first,
      tagline: rest.join(' '),
      actions: starts.map((entry, index) => ({
        theme: index === 0 ? 'brand' : 'alt',
        text: entry.title,
        link: linkTo(entry),
      })),
    },
    features: services.map(({ title, details }) => ({
      title,
      details,
      link: linkTo(contents.find((section) => section.title === title).entries[0]),
      linkText: 'Read on',
    })),
  }
  const file = `${folder}index.md`
  const text = readFileSync(file, 'utf8')
  const after = text.slice(text.search(/\n\n(?!- |\s)[^\n]*(?:SQLite, PostgreSQL)/))
  const shown = after.slice(0, after.indexOf('\n## More'))
  // JSON is YAML.
  writeFileSync(file, `---\n${JSON.stringify(settings, null, 1)}\n---\n${shown}\n`)
  return about
}
