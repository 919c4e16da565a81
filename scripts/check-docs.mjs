// Type-checks the `ts` code blocks of every README and of docs/ and the examples in docstrings, and checks the links of these documents
// and the names of files and packages in them. Each block becomes a
// module of its own in .docs-check/, at its line in the document, so that the compiler's messages name that line.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { brokenLinks, documents, longDocuments } from './doc-links.mjs'
import { missingSources, publicSecrets, unnamedPackages } from './doc-names.mjs'
import { root, run } from './run.mjs'
import { contentsProblems } from './site/contents.mjs'

const folder = `${root}.docs-check/`

/** The `ts` blocks of a document, each padded with empty lines up to the line it starts at. */
function codeBlocks(text) {
  const blocks = []
  let block
  for (const [index, line] of text.split('\n').entries()) {
    if (block === undefined) {
      if (/^```ts\s*$/.test(line)) block = { at: index + 1, lines: [] }
    } else if (line.startsWith('```')) {
      blocks.push('\n'.repeat(block.at) + [...block.lines, 'export {}', ''].join('\n'))
      block = undefined
    } else {
      block.lines.push(line)
    }
  }
  return blocks
}

const entries = ['', '/alerts', '/auth', '/webhook', '/adapter', '/store', '/testing']
  .map((name) => ({ name: `@gatehouse/core${name}`, folder: entryFolder(name) }))
  .map(({ name, folder }) => ({ name, text: readFileSync(`${root}${folder}`, 'utf8') }))
  .concat({
    name: '@gatehouse/client',
    text: readFileSync(`${root}packages/client/src/index.ts`, 'utf8'),
  })
  .concat({ name: '@gatehouse/console', text: 'consoleRoutes' })
  .concat({ name: '@gatehouse/sign-in', text: 'signInRoutes' })
  .concat({ name: '@gatehouse/oidc', text: 'createOidcProvider' })
  .concat({
    name: '@gatehouse/adapter-hono',
    text: 'honoAdapter, requireSession, requireToken, optionalSession, signOut',
  })
  .concat({ name: '@gatehouse/next', text: 'nextAdapter, withToken' })
  .concat({ name: '@gatehouse/adapter-node', text: 'nodeAdapter, nodeUpgrade' })

function entryFolder(name) {
  const { exports } = JSON.parse(readFileSync(`${root}packages/core/package.json`, 'utf8'))
  return `packages/core/${exports[`.${name}`]['@gatehouse/source']}`
}

/** Declarations that examples in docstrings may use. */
const known = `
import type { createServer as createNodeServer } from 'node:http'
import type { AlertsContext, AuthContext, Storage, WebhooksContext } from '@gatehouse/core'
import type { TokenVerifier } from '@gatehouse/core/auth'
import type { Hono } from 'hono'
declare global {
  const alerts: AlertsContext
  const auth: AuthContext
  const webhooks: WebhooksContext
  const storage: Storage
  const verifier: TokenVerifier
  const request: Request
  const config: string
  const state_token: string
  const userId: string
  const app: Hono
  const createServer: typeof createNodeServer
}
`

/** The examples in the docstrings of a source, each at its line, with imports of the functions that it calls. */
function examples(text) {
  const found = [...text.matchAll(/^ *\* @example\n((?: *\*(?! @|\/).*\n)+)/gm)]
  return found.map(({ 0: whole, 1: lines, index }) => {
    const code = lines.replace(/^ *\* ?/gm, '')
    const called = new Set([...code.matchAll(/(?<![.\w])([a-z]\w+)\(/g)].map(([, name]) => name))
    const imports = [...called].flatMap((name) => {
      const entry = entries.find((one) => new RegExp(`\\b${name}\\b`).test(one.text))
      return entry === undefined ? [] : [`import { ${name} } from '${entry.name}'`]
    })
    const before = text.slice(0, index + whole.indexOf('\n') + 1).split('\n').length - 1
    return `${imports.join(';')}${'\n'.repeat(before)}${code}export {}\n`
  })
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
let count = 0
for (const name of documents()) {
  const blocks = codeBlocks(readFileSync(`${root}${name}`, 'utf8'))
  for (const [index, code] of blocks.entries()) {
    writeFileSync(`${folder}${name.replaceAll('/', '__')}.${index + 1}.ts`, code)
  }
  count += blocks.length
}
const sources = readdirSync(`${root}packages`, { recursive: true })
  .filter((name) => /^[\w-]+\/src\/.*(?<!\.test|\.fixture|\.d)\.ts$/.test(name))
  .map((name) => `packages/${name}`)
let exampleCount = 0
for (const name of sources) {
  for (const code of examples(readFileSync(`${root}${name}`, 'utf8'))) {
    exampleCount += 1
    writeFileSync(`${folder}${name.replaceAll('/', '__')}.${exampleCount}.ts`, code)
  }
}
writeFileSync(`${folder}known.d.ts`, known)
// References let the compiler read the declarations of the packages instead of checking their sources again.
const { references } = JSON.parse(readFileSync(`${root}tsconfig.json`, 'utf8'))
const config = {
  extends: '../tsconfig.test.json',
  include: ['*.ts'],
  references: references.map(({ path }) => ({ path: `../${path}` })),
}
writeFileSync(`${folder}tsconfig.json`, JSON.stringify(config))

const code = count === 0 ? 0 : await run(process.execPath, [`${root}scripts/tsc.mjs`, '-p', folder])
if (code === 0) {
  rmSync(folder, { recursive: true })
  console.log(
    `${count} code blocks of the documents and ${exampleCount} examples of docstrings are correct`,
  )
}
const broken = [
  ...documents().flatMap(brokenLinks),
  ...longDocuments(documents()),
  ...missingSources(documents()),
  ...unnamedPackages(),
  ...publicSecrets(documents()),
  ...contentsProblems(),
]
for (const problem of broken) console.error(problem)
process.exitCode = broken.length > 0 ? 1 : code
