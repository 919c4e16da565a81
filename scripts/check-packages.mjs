// `npm run check:pkg`: builds the packages with their types, and checks them as their users get them.
import { readdirSync } from 'node:fs'
import { root } from './run.mjs'
import { runTracks } from './steps.mjs'

const packages = readdirSync(`${root}packages`)
const lint = packages.map((name) => ({
  name: `package: ${name}`,
  command: ['npm', 'run', 'lint:pkg', '--silent', '--workspace', `packages/${name}`],
}))

const failed = await runTracks([[{ name: 'build', command: ['npm', 'run', 'build'] }]])
failed.push(
  ...(await runTracks([
    lint,
    [
      { name: 'consumers', command: [`${root}scripts/consumers.mjs`] },
      { name: 'sizes', command: [`${root}scripts/sizes.mjs`] },
    ],
  ])),
)
if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
