// Follows the start pages, and the sections of README and the guides with a program of their own, as a reader does: writes the files that they show, runs their commands, and
// compares the answers. `npm install` lines are not run, but must name what the files import.
import { execFile as execFileWithCallback, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../test-support/free-port.mjs'
import { root } from '../run.mjs'

const execFile = promisify(execFileWithCallback)

/** Files that a page takes for granted. */
const given = {
  'alertmanager.yml':
    'route: { receiver: team }\nreceivers: [{ name: team, webhook_configs: [{ url: http://127.0.0.1:1/ }] }]\n',
}

/** Ports of the pages. Each run takes free ones instead. */
const ports = /\b(?:3000|8080|9093|9094)\b/g

/**
 * The blocks of a page in their order. A text that ends with a file name and a colon makes the next block a file.
 *
 * @param {string} text
 */
function blocksOf(text) {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ 1: language, 2: code, index }) => {
    const before = text.slice(0, index).trimEnd().split('\n').at(-1)
    return { language, code, file: /`([\w.-]+)`[^`]*:$/.exec(before)?.[1] }
  })
}

/** Imports of packages that no install line of the page names. */
function checkInstalls(page, blocks) {
  const installed = blocks.flatMap(({ code }) =>
    [...code.matchAll(/^npm install (?:--global )?([^#\n]+)/gm)].flatMap(([, names]) =>
      names.trim().split(/ +/),
    ),
  )
  const imported = blocks
    .filter(({ file }) => file !== undefined)
    .flatMap(({ code }) => [...code.matchAll(/ from '([^'.][^']*)'/g)].map(([, name]) => name))
  const missing = imported.filter((name) => !name.startsWith('node:') && !installed.includes(name))
  if (missing.length > 0) throw new Error(`${page}: npm install lacks ${missing.join(', ')}`)
}

/** Whether a command line serves until it is ended. */
const isServer = (line) => /^(?:node \S+|gatehouse (?:api|alertmanager)\b.*)$/.test(line)

/**
 * Follows one page in a new folder below one that has the packages.
 *
 * @param {string} page its name, for messages
 */
async function followPage(page, { text, folder, before, after, paths = {} }) {
  const blocks = blocksOf(text)
  checkInstalls(page, blocks)
  mkdirSync(folder)
  for (const [name, content] of Object.entries(given)) writeFileSync(join(folder, name), content)
  const free = new Map()
  for (const [port] of text.matchAll(ports)) {
    if (!free.has(port)) free.set(port, String(await freePort()))
  }
  const withPorts = (code) =>
    Object.entries(paths).reduce(
      (text, [path, own]) => text.replaceAll(path, own),
      code.replaceAll(ports, (port) => free.get(port)),
    )
  const env = {
    PATH: `${join(dirname(folder), 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: folder,
  }
  const place = {
    folder,
    env,
    portOf: (port) => free.get(port),
    printed: () => servers.map(({ output }) => output()).join(''),
  }
  const { printed } = place
  const servers = []
  let answer = ''
  const bash = async (script) => {
    const args = ['-e', '-o', 'pipefail', '-c', script]
    return (await execFile('bash', args, { cwd: folder, env })).stdout
  }
  const runLine = async (written) => {
    const line = withPorts(written.replace(/\s+#.*$/, ''))
    if (line === '' || line.startsWith('npm install')) return
    // The one that ran before.
    if (line.startsWith('sudo systemctl stop')) return servers[0].end()
    if (isServer(line)) {
      const server = startServer(`exec ${line}`, { folder, env })
      servers.push(server)
      const places = placesIn(line)
      await server.isReached(places.length > 0 ? places : placesIn(withPorts(text)))
      return
    }
    const variable = /^(?:export )?(\w+)=/.exec(line)?.[1]
    if (variable === undefined) answer = await bash(line)
    else if (/^\w+=\S+\s+#/.test(written)) env[variable] = await valueFor(written, answer, printed)
    else env[variable] = await bash(`${line}\nprintf %s "$${variable}"`)
  }

  try {
    if (before !== undefined) servers.push(await before(place))
    for (const { language, code, file } of blocks) {
      if (file !== undefined) writeFileSync(join(folder, file), withPorts(code))
      else if (language === 'sh') {
        for (const line of code.trim().split('\n')) await runLine(line)
      } else if (language === 'json' && !isLike(answer, code)) {
        throw new Error(`the answer is not as printed:\n${answer}\n${code}`)
      }
    }
    if ((await after?.(place)) === false) throw new Error('it does not do what it says')
  } catch (error) {
    const said = `${error.stdout ?? ''}${error.stderr ?? ''}${printed()}`
    throw new Error(`${page}: ${error.message}\n${said}`, { cause: error })
  } finally {
    for (const server of servers) await server.end()
  }
}

/** Addresses of this machine in a text. */
const placesIn = (text) => text.match(/(?:localhost|127\.0\.0\.1):\d+/g) ?? []

/** The value that a page shows as an example, from where its comment says. */
async function valueFor(line, answer, printed) {
  const field = /# (\w+) of the answer$/.exec(line)?.[1]
  if (field !== undefined) return new RegExp(`"${field}":"([^"]+)"`).exec(answer)?.[1] ?? ''
  for (let left = 100; left > 0; left--) {
    const code = /\b\d{6}\b/.exec(printed())?.[0]
    if (code !== undefined) return code
    await delay(100)
  }
  throw new Error('no code was printed')
}

/** Whether an answer is as a page prints it, where `…` stands for anything. */
function isLike(answer, printed) {
  const escaped = printed
    .trim()
    .split('…')
    .map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`, 's').test(answer.trim())
}

function startServer(script, { folder, env }) {
  const child = spawn('bash', ['-c', script], { cwd: folder, env })
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = once(child, 'exit')
  return {
    output: () => output,
    async isReached(places) {
      for (let left = 300; left > 0; left--) {
        if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}`)
        for (const place of new Set(places)) {
          const isThere = await fetch(`http://${place}`).then(
            () => true,
            () => false,
          )
          if (isThere) return
        }
        await delay(100)
      }
      throw new Error(`${script} is not reached`)
    },
    async end() {
      child.kill()
      await ended
    },
  }
}

const silence = {
  matchers: [{ name: 'alertname', value: 'Known', isRegex: false }],
  startsAt: '2026-01-01T00:00:00Z',
  endsAt: '2040-01-01T00:00:00Z',
  createdBy: 'ann',
  comment: 'on its way',
}

/** Alertmanager with a silence, as it runs before the page is read. */
async function startAlertmanager({ folder, env, port }) {
  const data = join(folder, 'alertmanager-data')
  const flags = `--config.file=alertmanager.yml --storage.path=${data} --cluster.listen-address= --web.listen-address=127.0.0.1:${port}`
  const server = startServer(`exec prometheus-alertmanager ${flags}`, { folder, env })
  await server.isReached([`127.0.0.1:${port}`])
  const body = JSON.stringify(silence)
  const headers = { 'content-type': 'application/json' }
  await fetch(`http://127.0.0.1:${port}/api/v2/silences`, { method: 'POST', headers, body })
  return server
}

/** What a page needs before, and what it promises besides the answers that it prints. */
const pages = {
  'start-sign-in': {},
  'start-alertmanager': {
    needs: ['prometheus-alertmanager'],
    paths: { '/var/lib/prometheus/alertmanager': 'alertmanager-data' },
    before: ({ portOf, ...place }) => startAlertmanager({ ...place, port: portOf('9093') }),
    async after({ portOf }) {
      const response = await fetch(`http://127.0.0.1:${portOf('9094')}/api/v2/silences`)
      return (await response.text()).includes('"comment":"on its way"')
    },
  },
  'start-deploy-hook': {
    async after({ printed }) {
      for (let left = 100; left > 0; left--) {
        if (printed().includes('deploying 1f0e1c0')) return true
        await delay(100)
      }
      return false
    },
  },
}

const isInstalled = (program) => spawnSync('which', [program]).status === 0

/** Documents, and the least number of their sections that begin with an installation and start a program. */
const guides = {
  'README.md': 3,
  'docs/frameworks.md': 2,
  'docs/webhook.md': 1,
  'docs/webhook-code.md': 1,
}

/** Sections with a program of their own. */
const programsOf = (text) =>
  text
    .split(/^(?=## )/m)
    .filter((section) =>
      /^npm install.*(?:\n.*)*?^(?:node app\.mjs|gatehouse (?:api|alertmanager)\b)/m.test(section),
    )

/**
 * Follows all pages below a folder whose `node_modules` has the packages.
 *
 * @param {string} parent
 */
export async function followStartPages(parent) {
  for (const [name, { needs = [], ...around }] of Object.entries(pages)) {
    const missing = needs.filter((program) => !isInstalled(program))
    if (missing.length > 0) {
      if (process.env.CI) throw new Error(`${name}: ${missing.join(' and ')} is not installed`)
      console.log(`skipped ${name}: ${missing.join(' and ')} is not installed`)
      continue
    }
    const text = readFileSync(`${root}docs/${name}.md`, 'utf8')
    await followPage(name, { text, folder: join(parent, name), ...around })
  }
  for (const [name, least] of Object.entries(guides)) {
    const found = programsOf(readFileSync(`${root}${name}`, 'utf8'))
    if (found.length < least) throw new Error(`${name} has ${found.length} programs`)
    for (const text of found) {
      const [title] = text.split('\n')
      const folder = join(parent, `page-${randomUUID()}`)
      await followPage(`${name}, ${title}`, { text, folder })
    }
    console.log(`${found.length} programs of ${name} do what they say`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await followStartPages(process.argv[2])
