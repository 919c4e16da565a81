// The programs that are started, each with a small configuration.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const built = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))

/**
 * @typedef {object} Contender
 * @property {'gatehouse' | 'alertmanager' | 'gatehouse webhooks' | 'webhook'} id
 * @property {string} program
 * @property {string[]} version the arguments that print the version
 * @property {boolean} sends whether it sends notifications
 * @property {string} readyPath
 * @property {(folder: string, port: number, receiver: string) => string[]} prepare writes the configuration, and returns the arguments
 */

/** @param {string | undefined} main @returns {Contender[]} those that are installed */
export function contenders(main = built) {
  /** @type {Contender[]} */
  const all = [
    {
      ...alerts([main, 'alertmanager']),
      id: 'gatehouse',
      program: process.execPath,
      version: [main, '--version'],
    },
    {
      ...alerts([]),
      id: 'alertmanager',
      program: 'prometheus-alertmanager',
      version: ['--version'],
    },
    {
      id: 'gatehouse webhooks',
      program: process.execPath,
      version: [main, '--version'],
      sends: false,
      readyPath: '/-/ready',
      prepare(folder, port) {
        const webhook = {
          id: 'a',
          token: 'a-token-of-some-length',
          execute_command: 'true',
          workdir: '',
        }
        const config = { storage: { sqlite: 'gatehouse.db' }, webhooks: [webhook] }
        writeFileSync(join(folder, 'config.json'), JSON.stringify(config), { mode: 0o600 })
        const file = join(folder, 'config.json')
        return [main, 'api', '--config', file, '--listen', `127.0.0.1:${port}`]
      },
    },
    {
      id: 'webhook',
      program: 'webhook',
      version: ['-version'],
      sends: false,
      readyPath: '/',
      prepare(folder, port) {
        const file = join(folder, 'hooks.json')
        writeFileSync(file, JSON.stringify([{ id: 'a', 'execute-command': '/bin/true' }]))
        return ['-hooks', file, '-ip', '127.0.0.1', '-port', `${port}`]
      },
    },
  ]
  return all.filter(({ program, version }) => {
    try {
      execFileSync(program, version, { stdio: 'ignore' })
      return true
    } catch {
      console.error(`${program} is not installed or not built`)
      return false
    }
  })
}

/** @param {string[]} leading @returns {Pick<Contender, 'sends' | 'readyPath' | 'prepare'>} */
const alerts = (leading) => ({
  sends: true,
  readyPath: '/-/ready',
  prepare(folder, port, receiver) {
    const file = join(folder, 'alertmanager.yml')
    writeFileSync(file, configOf(receiver))
    return [
      ...leading,
      `--config.file=${file}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ]
  },
})

/** @param {string} receiver */
const configOf = (receiver) => `
route: { receiver: team, group_by: [alertname], group_wait: 1s }
receivers: [ { name: team, webhook_configs: [ { url: '${receiver}' } ] } ]
`
