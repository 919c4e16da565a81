// Type-checks the `ts` code blocks of every README and of docs/, and checks the links of these documents. Each block becomes a
// module of its own in .docs-check/, at its line in the document, so that the compiler's messages name that line.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { brokenLinks } from './doc-links.mjs'
import { root, runTool } from './run.mjs'

const folder = `${root}.docs-check/`

/** The documents, relative to the repository. */
function documents() {
  const readmes = ['packages', 'examples'].flatMap((group) =>
    readdirSync(`${root}${group}`).map((name) => `${group}/${name}/README.md`),
  )
  const guides = readdirSync(`${root}docs`, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
  return ['README.md', 'CONTRIBUTING.md', ...guides, ...readmes].filter((name) =>
    existsSync(`${root}${name}`),
  )
}

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
const config = { extends: '../tsconfig.test.json', include: ['*.ts'] }
writeFileSync(`${folder}tsconfig.json`, JSON.stringify(config))

const code = count === 0 ? 0 : await runTool('tsc', ['-p', folder])
if (code === 0) {
  rmSync(folder, { recursive: true })
  console.log(`${count} code blocks of the documents are correct`)
}
const broken = documents().flatMap(brokenLinks)
for (const problem of broken) console.error(problem)
process.exitCode = broken.length > 0 ? 1 : code
