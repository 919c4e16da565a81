// `npm run docs [-- --serve] [-- --base /PATH/]`: builds the site to .site/dist from docs/, README and its like, the docstrings of the
// packages and the OpenAPI documents, and checks its links. `--serve` then shows it; `--base` is the path it will be published at.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { installWhenNeeded } from './install-when-needed.mjs'
import { root } from './run.mjs'
import { writeApiReference } from './site/api-reference.mjs'
import { checkSite } from './site/check-site.mjs'
import { writeConfig } from './site/config.mjs'
import { contentsProblems, readContents } from './site/contents.mjs'
import { writeHttpReference } from './site/http-reference.mjs'
import { writeLlms } from './site/llms.mjs'
import { writePages } from './site/pages.mjs'
import { writeStartPage } from './site/start-page.mjs'

const { values } = parseArgs({
  options: {
    serve: { type: 'boolean', default: false },
    base: { type: 'string', default: '/' },
    port: { type: 'string', default: '4173' },
  },
})
const { base } = values
if (!/^\/(?:.*\/)?$/.test(base)) throw new Error('--base must begin and end with /')

const folder = `${root}.site/`
const pages = `${folder}pages/`
const built = `${folder}dist/`
const began = performance.now()

const problems = contentsProblems()
if (problems.length > 0) fail(problems)

rmSync(pages, { recursive: true, force: true })
rmSync(built, { recursive: true, force: true })
mkdirSync(`${pages}public`, { recursive: true })
const contents = readContents()
const files = contents.flatMap(({ entries }) => entries.map(({ file }) => file))
writePages(['README.md', 'docs/README.md', ...files], pages)
const about = writeStartPage(pages, contents)
const generated = [
  { title: 'HTTP', pages: await writeHttpReference(pages) },
  { title: 'API', pages: await writeApiReference(pages) },
]
const vitepress = installWhenNeeded('vitepress', '1.6.4')
writeConfig(pages, { contents, generated, base, vitepress })
cpSync(`${root}scripts/site/theme`, `${pages}.vitepress/theme`, { recursive: true })
cpSync(`${root}packages/console/public/favicon.svg`, `${pages}public/favicon.svg`)
writeFileSync(`${pages}package.json`, '{ "private": true, "type": "module" }')

const { build, serve } = await import(pathToFileURL(`${vitepress}dist/node/index.js`).href)
await build(pages)
writeLlms(pages, built, { contents, generated, base, about })

const checked = checkSite(built, base)
if (checked.problems.length > 0) fail(checked.problems)
const seconds = ((performance.now() - began) / 1_000).toFixed(0)
console.log(`${checked.pages} pages with ${checked.links} good links in .site/dist, ${seconds} s`)
if (values.serve) await serve({ root: pages, base, port: Number(values.port) })

/** @param {readonly string[]} problems */
function fail(problems) {
  for (const problem of problems) console.error(problem)
  process.exit(1)
}
