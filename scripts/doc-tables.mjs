// The tables of the documentation that say what the code knows. A table stands between the lines `<!-- table: NAME -->` and
// `<!-- end of table -->` of a document; `tables` has the kinds of names.
import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { headingAt } from './doc-links.mjs'
import { optionsOf } from './option-docs.mjs'
import { root } from './run.mjs'

/** Where the interfaces of options are. */
const optionTypes = {
  createAlerts: ['packages/core/src/alerts/create-alerts.ts', 'AlertsOptions'],
  createAuth: ['packages/core/src/auth/auth-options.ts', 'AuthOptions'],
  createOidcProvider: ['packages/oidc/src/config/options.ts', 'OidcOptions'],
  createTokenVerifier: [
    'packages/core/src/auth/access-tokens/create-token-verifier.ts',
    'TokenVerifierOptions',
  ],
  createWebhooks: ['packages/core/src/webhook/create-webhooks.ts', 'WebhooksOptions'],
  OidcClient: ['packages/oidc/src/config/options.ts', 'OidcClient'],
  OidcLifetimes: ['packages/oidc/src/config/options.ts', 'OidcLifetimes'],
  OidcResource: ['packages/oidc/src/config/options.ts', 'OidcResource'],
  OidcScope: ['packages/oidc/src/config/options.ts', 'OidcScope'],
  requireToken: ['packages/core/src/auth/access-tokens/admit-token.ts', 'AdmitTokenOptions'],
}

const row = (...cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
const table = (titles, rows) => [row(...titles), `|${'---|'.repeat(titles.length)}`, ...rows]
const code = (text) => `\`${text}\``
const sentence = (text) =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!]$/.test(text) ? '' : '.')

/** A link to a heading, which is its text, from a document. */
function linkTo(target, document) {
  const [file, anchor] = target.split('#')
  const path = file === document ? '' : relative(dirname(document), file)
  const title = anchor === undefined ? basename(file, '.md') : headingAt(file, anchor)
  return `[${title}](${path}${anchor === undefined ? '' : `#${anchor}`})`
}

/** The kinds of tables: from the rest of the name to lines. */
const tables = {
  'options of ': (name, { document }) =>
    table(
      ['option', 'meaning', 'default'],
      optionsOf(...optionTypes[name]).map((option) => {
        const links = option.see.map((target) => linkTo(target, document))
        const see = links.length === 0 ? '' : ` See ${links.join(', ')}.`
        return row(
          code(option.name),
          `${sentence(option.text)}${see}`,
          option.isOptional ? option.fallback : 'needed',
        )
      }),
    ),

  'routes of ': (name, { interfaces }) => {
    const [tag, below = ''] = name.split(' below ')
    const { places, operations } = Object.values(interfaces).find((one) => one.tag === tag)
    const rows = Object.entries(places)
      .filter(([, place]) => place.includes(` ${below}`))
      .map(([id, place]) => row(code(place.replace(/:(\w+)/g, '{$1}')), operations[id].summary))
    return table(['request', 'meaning'], rows)
  },

  'metrics of ': (name, { metricsOf }) =>
    table(
      ['metric', 'type', 'labels', 'meaning'],
      metricsOf(name).map(({ name, type, labels = [], help }) =>
        row(code(name), type, labels.map(code).join(', '), sentence(help)),
      ),
    ),

  'flags of ': (name, { commandOf }) => {
    const shown = commandOf(name.split(' ')).options.filter(({ hidden }) => !hidden)
    const isIdle = ({ description }) => description.startsWith('accepted and ignored')
    const idle = shown.filter(isIdle)
    const rows = shown
      .filter((option) => !isIdle(option))
      .map((option) => row(code(option.flags.replace(/^-\w, /, '')), ...meaningOf(option)))
    if (idle.length > 0) {
      rows.push(row(idle.map(({ long }) => code(long)).join(', '), 'Accepted and ignored.', ''))
    }
    return table(['flag', 'meaning', 'default'], rows)
  },

  'keys without effect': (_, { idleNames }) =>
    table(
      ['below', 'names'],
      idleNames().map(({ path, names }) =>
        row(path === '' ? 'the document' : code(path), names.map(code).join(', ')),
      ),
    ),

  'further keys': (_, { extensionKeys }) => extensionKeys().map((path) => `- ${code(path)}`),

  'entries of ': (name) => {
    const folder = `packages/${name.replace('@gatehouse/', '')}/`
    const { exports } = JSON.parse(readFileSync(`${root}${folder}package.json`, 'utf8'))
    const rows = Object.entries(exports)
      .filter(([, target]) => target['@gatehouse/source'] !== undefined)
      .map(([entry, { '@gatehouse/source': source }]) =>
        row(code(join(name, entry)), aboutOf(join(folder, source))),
      )
    return table(['entry', 'contains'], rows)
  },
}

/** The description of a flag, and its default. */
function meaningOf({ description, defaultValue, defaultValueDescription, argChoices }) {
  const [, text, inText = ''] = /^(.*?)(?: \(default: (.*)\))?$/s.exec(
    description.replace(' (Gatehouse only)', ''),
  )
  const only = description.includes('(Gatehouse only)') ? '*Gatehouse only.* ' : ''
  const choices = argChoices === undefined ? '' : `: ${argChoices.map(code).join(', ')}`
  const given = defaultValueDescription ?? defaultValue ?? inText
  const shown = given === defaultValue && given !== '' ? code(String(given)) : String(given)
  return [`${only}${sentence(text + choices)}`, shown]
}

/** The comment at the top of an entry. */
function aboutOf(path) {
  const text = readFileSync(`${root}${path}`, 'utf8')
  const [{ pos, end } = { pos: 0, end: 0 }] = ts.getLeadingCommentRanges(text, 0) ?? []
  const about = text.slice(pos, end).replace(/^\/\/ /, '')
  if (pos === end || about.startsWith('/'))
    throw new Error(`${path} does not begin with its purpose`)
  return about
}

const marked = /(<!-- table: (.+?) -->\n).*?(<!-- end of table -->)/gs

/** A document with its tables replaced. `known` has what the sources of the tables export. */
export function withCodeTables(text, known) {
  return text.replace(marked, (_, start, name, end) => {
    const kind = Object.keys(tables).find((prefix) => name.startsWith(prefix))
    if (kind === undefined) throw new Error(`${known.document}: no table is called "${name}"`)
    const lines = tables[kind](name.slice(kind.length), known)
    return `${start}\n${lines.join('\n')}\n\n${end}`
  })
}
