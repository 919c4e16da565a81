// Builds the JavaScript of every package as tests need it: without type declarations, and with what apps do not use, whose removal
// takes most of the time of a build. Skips packages whose build is newer than their sources. What apps get comes from `npm run build`.
// As a program: `node scripts/build-js.mjs [PACKAGE…]`.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { root, runTool } from './run.mjs'

const packagesFolder = `${root}packages/`
const sourceFolders = readdirSync(packagesFolder)
  .map((name) => `${packagesFolder}${name}/src`)
  .filter(existsSync)

/** The time of the newest change at or below a path. */
function newestChange(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  const changes = readdirSync(path).map((name) => newestChange(`${path}/${name}`))
  return Math.max(stats.mtimeMs, ...changes)
}

function isCurrent(folder) {
  const built = ['dist/index.js', 'dist/main.js']
    .map((file) => `${folder}/${file}`)
    .find(existsSync)
  if (built === undefined) return false
  const own = ['src', 'package.json', 'tsup.config.ts', 'direct-imports.ts'].map(
    (name) => `${folder}/${name}`,
  )
  // A program contains the other packages, and the components for React the screens of the pages.
  const contained = /main\.js$|\/react\//.test(built) ? sourceFolders : []
  const sources = [...own, ...contained, `${root}tsup.base.ts`, `${root}tsup.pure.ts`]
  return Math.max(...sources.filter(existsSync).map(newestChange)) < statSync(built).mtimeMs
}

/**
 * @param {readonly string[]} [names] folders of packages (default: all)
 * @returns {Promise<boolean>} whether every package was built.
 */
export async function buildJs(names = readdirSync(packagesFolder)) {
  const folders = names
    .map((name) => `${packagesFolder}${name}`)
    .filter((folder) => existsSync(`${folder}/tsup.config.ts`) && !isCurrent(folder))
  const isPage = (folder) => /\/(?:console|sign-in)$/.test(folder)
  // Pages first: the command contains them, and takes those that are built.
  const rounds = [folders.filter(isPage), folders.filter((folder) => !isPage(folder))]
  let built = true
  for (const round of rounds) {
    const codes = await Promise.all(
      round.map((cwd) => runTool('tsup', ['--no-dts', '--no-treeshake', '--silent'], { cwd })),
    )
    built &&= codes.every((code) => code === 0)
  }
  return built
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2)
  const unknown = names.filter((name) => !existsSync(`${packagesFolder}${name}/tsup.config.ts`))
  if (unknown.length > 0) throw new Error(`no package to build: ${unknown.join(', ')}`)
  if (!(await buildJs(names.length === 0 ? undefined : names))) process.exitCode = 1
}
