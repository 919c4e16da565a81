// Compiles the files of docs/sign-in-recipes.md with the types of their frameworks, and runs them.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { programsOf, writePrograms } from '../documented-programs.mjs'
import { root, run } from '../run.mjs'
import { asInstalled, createProject, tarballsIn } from './projects.mjs'

const page = 'docs/sign-in-recipes.md'

const packages = [
  'adapter-express',
  'adapter-node',
  'client',
  'core',
  'go-template',
  'sign-in',
  'store-memory',
]

const nest = ['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@12`)
const frameworks = [
  'fastify@5',
  ...nest,
  'reflect-metadata',
  'rxjs',
  '@sveltejs/kit@2',
  'h3@1',
  'react-router@7',
]

const flags = ['--strict', '--skipLibCheck', '--experimentalDecorators', '--emitDecoratorMetadata']
const target = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node']

/**
 * @param {string} project its folder; it must not exist
 * @param {string} tarballs the folder of the packed packages
 * @throws {Error} if a recipe does not compile, or does not do what it promises.
 */
export async function checkRecipes(project, tarballs) {
  const types = ['express', '@types/express', '@types/node'].map(asInstalled)
  await createProject(project, 'module', [
    ...tarballsIn(tarballs, packages),
    ...frameworks,
    ...types,
  ])
  writePrograms(page, project)
  const files = programsOf(page).map(({ file }) => file)
  const tsc = [`${root}node_modules/typescript/bin/tsc`, '--ignoreConfig', ...flags, ...target]
  await expectSuccess('compiling', run(process.execPath, [...tsc, ...files], { cwd: project }))
  copyFileSync(`${root}scripts/consumers/recipes-program.mjs`, join(project, 'check.mjs'))
  const env = { ...process.env, PORT: '0' }
  await expectSuccess('running', run(process.execPath, ['check.mjs'], { cwd: project, env }))
}

async function expectSuccess(what, exitCode) {
  if ((await exitCode) !== 0) throw new Error(`${what} the recipes of ${page} failed`)
}
