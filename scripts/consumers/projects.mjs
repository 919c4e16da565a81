// Projects outside of the repository that have the packed packages.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../run.mjs'

const quiet = ['--no-audit', '--no-fund', '--loglevel=error']

async function check(what, exitCode) {
  if ((await exitCode) !== 0) throw new Error(`${what} failed`)
}

/**
 * Packs every package.
 *
 * @param {string} folder where the tarballs go; it must not exist.
 */
export async function packAll(folder) {
  mkdirSync(folder)
  const packages = readdirSync(`${root}packages`).map((name) => `./packages/${name}`)
  const args = ['pack', ...packages, '--pack-destination', folder, '--silent']
  await check('npm pack', run('npm', args))
}

/**
 * A dependency in the version installed here, so that npm finds it in its cache.
 *
 * @param {string} name
 */
export function asInstalled(name) {
  const { version } = JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, 'utf8'))
  return `${name}@${version}`
}

/**
 * The tarballs of packages.
 *
 * @param {string} folder
 * @param {readonly string[]} [names] without `@gatehouse/` (default: all)
 */
export function tarballsIn(folder, names) {
  const isAskedFor = (file) => names?.some((name) => file.startsWith(`gatehouse-${name}-`)) ?? true
  return readdirSync(folder)
    .filter(isAskedFor)
    .map((name) => join(folder, name))
}

/**
 * Makes a project with dependencies.
 *
 * @param {string} project its folder; it must not exist.
 * @param {'module' | 'commonjs'} type
 * @param {readonly string[]} dependencies
 */
export async function createProject(project, type, dependencies) {
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type }))
  const args = ['install', '--prefer-offline', '--ignore-scripts', ...quiet, ...dependencies]
  await check(`npm install in ${project}`, run('npm', args, { cwd: project }))
}
