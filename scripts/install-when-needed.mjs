// Packages that only a benchmark, the site or a test of the wide lane needs. The first use installs them below node_modules/.cache.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { root } from './run.mjs'

/**
 * Installs a package, unless it is there, and runs its install script: some fetch a program, some compile an addon.
 *
 * @param {string} name
 * @param {string} version exact, or a major version for the newest release of it at the first use
 * @param {readonly string[]} [beside] packages to install in the same folder, such as `typedoc@0.28.20`
 * @returns {string} its folder, with a slash at the end.
 * @throws {Error} if npm cannot install it.
 */
export function installWhenNeeded(name, version, beside = []) {
  const all = [`${name}@${version}`, ...beside]
  const folder = `${root}node_modules/.cache/gatehouse-packages/${all.join('+')}/`
  const done = `${folder}node_modules/.package-lock.json`
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true })
    const manifest = { private: true, allowScripts: { [name]: true } }
    writeFileSync(`${folder}package.json`, JSON.stringify(manifest))
    const args = ['install', ...all, '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', args, { cwd: folder, stdio: 'pipe' })
  }
  return `${folder}node_modules/${name}/`
}
