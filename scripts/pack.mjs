// `npm run packages [-- FOLDER]`: builds and packs every package, and prints the line that installs them in another app.
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packAll } from './consumers/projects.mjs'
import { installIfNeeded } from './install-if-needed.mjs'
import { root, run } from './run.mjs'

const folder = resolve(process.argv[2] ?? join(root, '.packages'))

await installIfNeeded()
if ((await run('npm', ['run', 'build', '--silent'])) !== 0) process.exit(1)
rmSync(folder, { recursive: true, force: true })
await packAll(folder)
console.log(`In your app, for all of them:

  npm install ${join(folder, '*.tgz')}

Then leave the names with @gatehouse/ out of the install lines of the documentation.`)
