// Runs the programs of the guides that come with an install line, word by word, and does over HTTP what they are for.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from './free-port.mjs'

const guides = ['frameworks', 'webhook']

/** The programs of a text, each with the packages of the `npm install` line before it. */
function programsOf(text) {
  const found = text.matchAll(/^```sh\nnpm install (@[^\n]*)\n```\n\n```ts\n(.*?)^```$/gms)
  return [...found].map(([, names, code]) => ({ code, installed: names.split(' ') }))
}

/** What to do with each program, in the order of the guides. */
const tasks = [
  async ({ url }) => {
    await expectStatus(await fetch(`${url}/pay`, { method: 'POST' }), 502)
    await expectText(await fetch(`${url}/api/v2/alerts`), 'PaymentFailed')
  },
  async ({ url }) => {
    await expectStatus(await fetch(`${url}/pay`, { method: 'POST' }), 502)
    await expectText(await fetch(`${url}/monitoring/api/v2/alerts`), 'PaymentFailed')
  },
  async ({ url, token }) => {
    const headers = { authorization: `Bearer ${token}` }
    const run = await fetch(`${url}/hooks/webhook/hello`, { method: 'POST', headers })
    await expectText(run, '"stdout":"hello\\n"')
    await expectText(await fetch(`${url}/greet`, { method: 'POST' }), 'succeeded')
  },
]

async function expectStatus(response, status) {
  if (response.status === status) return
  throw new Error(`${response.url}: ${response.status}, not ${status}: ${await response.text()}`)
}

async function expectText(response, text) {
  const body = await response.text()
  if (!body.includes(text)) throw new Error(`${response.url}: no ${text} in ${body}`)
}

/** Imports of packages that the install line lacks. */
function missingIn({ code, installed }) {
  const named = [...code.matchAll(/ from '([^'.][^']*)'/g)].map(([, name]) => name)
  return named.filter((name) => !installed.includes(name))
}

async function runProgram(folder, program, task) {
  const missing = missingIn(program)
  if (missing.length > 0) throw new Error(`npm install lacks ${missing.join(', ')}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'app.mjs'), program.code)
  const port = await freePort()
  const token = 'a token for this test alone'
  const env = { PATH: process.env.PATH, PORT: String(port), HOOK_TOKEN: token }
  const child = spawn(process.execPath, ['app.mjs'], { cwd: folder, env })
  let printed = ''
  const keep = (chunk) => {
    printed += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = once(child, 'exit')
  const url = `http://localhost:${port}`
  try {
    await untilReached(url)
    if (!printed.includes(String(port))) throw new Error('the program says nothing')
    await task({ url, token })
  } catch (error) {
    throw new Error(`${error.message}\n${printed}`, { cause: error })
  } finally {
    child.kill()
    await ended
  }
}

async function untilReached(url) {
  for (let left = 100; ; left--) {
    try {
      return await fetch(url)
    } catch (error) {
      if (left === 0) throw error
      await delay(100)
    }
  }
}

/** Runs every program of the guides below a folder whose parents have the packages. */
export async function runQuickStarts(parent) {
  const programs = guides.flatMap((name) =>
    programsOf(readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')),
  )
  if (programs.length !== tasks.length) {
    throw new Error(
      `the guides have ${programs.length} programs, and there are ${tasks.length} tasks`,
    )
  }
  for (const [index, program] of programs.entries()) {
    await runProgram(join(parent, `quick-start-${index + 1}`), program, tasks[index])
  }
  console.log(`${programs.length} programs of the guides run as they are printed`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await runQuickStarts(process.argv[2])
