// `node scripts/try-image.mjs`: tries the Dockerfile without Docker. Runs the steps of every stage in a copy-on-write view of this
// machine, then its command as its user, its health check, and SIGTERM. Instead of the base images it has the programs of this
// machine. Needs Linux, root and the network of npm.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './run.mjs'

/** The instructions of the Dockerfile, each with its arguments as text. */
const instructions = readFileSync(`${root}Dockerfile`, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (name === undefined) throw new Error(`not an instruction: ${line}`)
    return { name, rest }
  })

const excluded = readFileSync(`${root}.dockerignore`, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((pattern) => `--exclude=${quoted(pattern.replace(/^\*\*\//, ''))}`)

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

const work = mkdtempSync(join(tmpdir(), 'gatehouse-image-'))
const viewOf = (stage) => join(work, stage, 'view')
const lines = ['set -eu']
/** The stage whose steps are read, and its folder, user and variables. */
let stage = ''
let stages = 0
let folder = '/'
let user = 'root'
const variables = new Map()
const found = new Map()

/** The way of this machine to the network. */
const network = Object.entries(process.env).filter(([name]) =>
  /^(?:https?_proxy|no_proxy|node_extra_ca_certs)$/i.test(name),
)

function inside(command, as = 'root') {
  const environment = [['HOME', '/root'], ...network, ...variables]
  const pairs = environment.map(([name, value]) => quoted(`${name}=${value}`)).join(' ')
  const words = `/usr/bin/env -i PATH="$PATH" ${pairs} /bin/sh -c ${quoted(`cd ${folder} && ${command}`)}`
  return `chroot --userspec=${as} ${viewOf(stage)} ${words}`
}

const steps = {
  FROM(rest) {
    stage = / AS (\S+)$/.exec(rest)?.[1] ?? `stage${stages}`
    stages++
    folder = '/'
    user = 'root'
    variables.clear()
    const place = join(work, stage)
    lines.push(
      `mkdir -p ${place}/upper ${place}/work ${place}/view`,
      `mount -t overlay overlay -o lowerdir=/,upperdir=${place}/upper,workdir=${place}/work ${place}/view`,
      `mount --bind /dev ${place}/view/dev; mount -t proc proc ${place}/view/proc`,
      // The official images of Node.js have this user.
      inside('id node >/dev/null 2>&1 || useradd --create-home node'),
    )
  },
  WORKDIR(rest) {
    folder = rest
    lines.push(`mkdir -p ${viewOf(stage)}${rest}`)
  },
  COPY(rest) {
    const words = rest.split(' ')
    const from = /^--from=(.*)$/.exec(words[0] ?? '')?.[1]
    const [to, ...sources] = words.slice(from === undefined ? 0 : 1).reverse()
    const target = `${viewOf(stage)}${to.startsWith('/') ? to : join(folder, to)}`
    if (from === undefined) {
      lines.push(
        `tar -C ${root} ${excluded.join(' ')} -cf - ${sources.join(' ')} | tar -C ${target} -xf -`,
      )
      return
    }
    lines.push(`mkdir -p ${to.endsWith('/') ? target : join(target, '..')}`)
    for (const source of sources.reverse()) lines.push(`cp -a ${viewOf(from)}${source} ${target}`)
  },
  RUN(rest) {
    lines.push(`echo ${quoted(`RUN ${rest.slice(0, 100)}`)}`, inside(rest))
  },
  ENV(rest) {
    const at = rest.indexOf('=')
    variables.set(rest.slice(0, at), rest.slice(at + 1))
  },
  USER(rest) {
    user = rest
  },
  HEALTHCHECK(rest) {
    found.set('health', JSON.parse(rest.slice(rest.indexOf('['))))
  },
  ENTRYPOINT: (rest) => void found.set('entry', JSON.parse(rest)),
  CMD: (rest) => void found.set('command', JSON.parse(rest)),
  EXPOSE: () => {},
  STOPSIGNAL: () => {},
  VOLUME: () => {},
}

for (const { name, rest } of instructions) {
  const step = steps[name]
  if (step === undefined) throw new Error(`cannot try ${name}`)
  step(rest)
}

const words = (list) => list.map(quoted).join(' ')
const init = 'gatehouse init --yes --storage /var/lib/gatehouse/gatehouse.db /etc/gatehouse'
// A network of its own: the port may be taken here.
const served = [
  'set -eu; ip link set lo up',
  // The folder of a user who mounts it into the container.
  inside(`${init} >/dev/null && chown -R node /etc/gatehouse`),
  `du -sh ${viewOf(stage)}/app ${viewOf(stage)}/node_modules`,
  `${inside(`test "$(id -u)" != 0 && exec ${words([...found.get('entry'), ...found.get('command')])}`, user)} & server=$!`,
  `healthy=no; for try in $(seq 120); do if ${inside(words(found.get('health')), user)}; then healthy=yes; break; fi; sleep 0.5; done`,
  'echo "healthy: $healthy"',
  // chroot and env run the program in their own process.
  'kill -TERM $server; code=0; wait $server || code=$?; echo "exit code after SIGTERM: $code"',
  `ls -l ${viewOf(stage)}/var/lib/gatehouse`,
  'test "$healthy $code" = "yes 0"',
]
const script = join(work, 'steps.sh')
writeFileSync(join(work, 'serve.sh'), `${served.join('\n')}\n`)
writeFileSync(script, [...lines, `unshare --net bash ${join(work, 'serve.sh')}\n`].join('\n'))
const { status } = spawnSync('unshare', ['--mount', '--pid', '--fork', 'bash', script], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
rmSync(work, { recursive: true, force: true })
console.log(status === 0 ? 'the image works' : 'the image does not work')
process.exit(status ?? 1)
