// Runs the programs of docs/frameworks.md for Fastify, NestJS, Bun and Deno, in the versions that the page names.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { transform } from 'esbuild'
import { freePort } from '../../test-support/free-port.mjs'
import { installWhenNeeded } from '../install-when-needed.mjs'
import { root } from '../run.mjs'
import { createProject, tarballsIn } from './projects.mjs'

const page = readFileSync(`${root}docs/frameworks.md`, 'utf8')

/** @param {string} title */
const sectionOf = (title) =>
  page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${title}\n`))

const blockOf = (text, language) =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(text)[1]

/** The version that a section says it was tested with. */
function versionIn(title) {
  const [, version] =
    new RegExp(`Tested with ${title} (\\d+(?:\\.\\d+)*)`).exec(sectionOf(title)) ?? []
  if (version === undefined) throw new Error(`the section ${title} names no version`)
  return version
}

/** By section: the path of an answer, and the program that runs it (default: Node.js). */
const platforms = {
  Fastify: { path: '/monitoring/api/v2/status' },
  NestJS: { path: '/monitoring/api/v2/status' },
  Bun: { path: '/api/v2/status', run: (bun) => [bun] },
  Deno: {
    path: '/api/v2/status',
    run: (deno) => [deno, 'run', '--allow-all', '--node-modules-dir=manual'],
  },
}

const nest = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express']

/**
 * @param {string} project its folder; it must not exist
 * @param {string} tarballs the folder of the packed packages
 * @throws {Error} if a program does not answer.
 */
export async function checkPlatforms(project, tarballs) {
  const packages = ['core', 'go-template', 'adapter-node', 'adapter-express', 'store-memory']
  await createProject(project, 'module', [
    ...tarballsIn(tarballs, packages),
    `fastify@~${versionIn('Fastify')}`,
    ...nest.map((name) => `${name}@^${versionIn('NestJS')}`),
    'reflect-metadata',
    'rxjs',
  ])
  // Deno reads no `file:` dependencies.
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  const { code } = await transform(blockOf(page, 'ts'), { loader: 'ts' })
  writeFileSync(join(project, 'gatehouse.js'), code)
  const module = "import { Module } from '@nestjs/common'\nexport class AppModule {}\n"
  writeFileSync(join(project, 'app.module.js'), `${module}Module({})(AppModule)\n`)
  for (const [title, { path, run }] of Object.entries(platforms)) {
    const port = String(await freePort())
    const program = blockOf(sectionOf(title), 'js')
    // The packages are not on the registry.
    const shown = program.replaceAll('npm:@gatehouse/', '@gatehouse/').replaceAll('3000', port)
    writeFileSync(join(project, 'app.js'), shown)
    const name = title.toLowerCase()
    const command =
      run === undefined
        ? [process.execPath]
        : run(`${installWhenNeeded(name, `~${versionIn(title)}`)}../.bin/${name}`)
    await askProgram(title, { project, command, url: `http://127.0.0.1:${port}${path}` })
    console.log(`ok  the program for ${title} ${versionIn(title)}`)
  }
}

async function askProgram(title, { project, command: [program, ...args], url }) {
  const child = spawn(program, [...args, 'app.js'], { cwd: project })
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = once(child, 'exit')
  try {
    for (let left = 150; ; left--) {
      const response = await fetch(url).catch(() => undefined)
      if (response?.status === 200) return
      if (left === 0 || child.exitCode !== null || response !== undefined) {
        throw new Error(`${title} does not answer 200: ${response?.status}\n${output}`)
      }
      await delay(200)
    }
  } finally {
    child.kill()
    await ended
  }
}
