// `npm run sizes [-- --accept]`: compares what an app bundles with the limits of `.size-limit.json`. A little more than a limit is
// reported, much more fails. `--accept` raises the exceeded limits.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { root } from './run.mjs'

/** What a package may be above its limit without failing the check: the change that meets the limit is seldom the one to blame. */
const allowance = 0.03

if (!existsSync(`${root}packages/core/dist/index.d.ts`)) {
  console.error('The packages are not built as apps get them. Before it: npm run build')
  process.exit(1)
}

const file = `${root}.size-limit.json`
let text = readFileSync(file, 'utf8')
const limits = JSON.parse(text)
const accepts = process.argv.includes('--accept')
/** The text of an entry, as far as its limit. */
const limitOf = (name) =>
  new RegExp(`${JSON.stringify(name).replaceAll(/[()]/g, '\\$&')}[^]*?"limit": "[^"]+"`)
const kilobytes = (bytes) => `${(bytes / 1_000).toFixed(1)} kB`

let printed
try {
  const args = [`${root}node_modules/.bin/size-limit`, '--json']
  // The bundler's warnings are pages long, and about every chunk.
  printed = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
} catch (error) {
  // It exits with 1 if a limit is exceeded; what it printed says by how much.
  if (error.stdout === '') throw error
  printed = error.stdout
}
const sizes = JSON.parse(printed)

let isTooLarge = false
for (const [index, limit] of limits.entries()) {
  const bytes = sizes[index].size
  const allowed = Number.parseFloat(limit.limit) * 1_000
  const over = bytes - allowed
  const state = over <= 0 ? 'ok' : over <= allowed * allowance ? 'over' : 'TOO LARGE'
  isTooLarge ||= state === 'TOO LARGE'
  const excess = over > 0 ? `, ${kilobytes(over)} above ${limit.limit}` : ` of ${limit.limit}`
  console.log(`${state.padEnd(10)}${limit.name}: ${kilobytes(bytes)}${excess}`)
  if (accepts && over > 0) {
    const raised = `${Math.ceil((bytes * 1.01) / 500) / 2} kB`
    text = text.replace(limitOf(limit.name), (found) => found.replace(limit.limit, raised))
  }
}

if (accepts) {
  writeFileSync(file, text)
} else if (isTooLarge) {
  console.log(
    '\nFind what grew: node_modules/.bin/size-limit --why, or compare `npm run sizes` before the change.',
  )
  console.log('If the growth is worth its bytes, raise the limits: npm run sizes -- --accept')
  process.exitCode = 1
}
