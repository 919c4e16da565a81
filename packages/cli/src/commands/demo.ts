import { setTimeout as pause } from 'node:timers/promises'
import { createWebhooksClient, isClientError, type WebhooksClient } from '@gatehouse/client'
import { Command, Option } from 'commander'
import { openInbox } from '../demo/inbox.ts'
import { startJobs } from '../demo/jobs.ts'
import { feed, silenceStaging } from '../demo/shop.ts'
import { sendStorm } from '../demo/storm.ts'
import { integerFlag } from '../flags/flags.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { addServerFlags, askServer, namedServer, type ServerFlags } from '../remote/server.ts'
import { runCommand } from '../run-command.ts'

interface DemoFlags extends ServerFlags {
  readonly inboxPort: number
  readonly webhookToken?: string
  readonly webhookBasePath: string
  readonly storm?: true
  readonly resolve?: true
}

const roundMs = 5_000
/** How soon a server that does not answer is asked again: `npm start` starts both at once. */
const retryMs = 500

/** `gatehouse demo`: sample alerts for a running server. */
export function demoCommand(): Command {
  const command = new Command('demo').description(
    'Feed a running server sample alerts until you stop it: they fire and resolve, some are silenced. Also runs its webhooks and receives its notifications.',
  )
  addServerFlags(command)
    .option(
      '--inbox-port <port>',
      'where on this machine webhook receivers can send notifications, which it shows there',
      integerFlag,
      9_094,
    )
    .option(
      '--webhook-token <token>',
      'runs the webhooks deploy, backup and import-prices that have this token, if there are any',
    )
    .option('--webhook-base-path <path>', 'the base_path of the webhooks', '')
    .option(
      '--storm',
      'sends 10,000 alerts of a large outage instead, and ends; they resolve after two hours, or with --resolve',
    )
    .addOption(new Option('--resolve', 'ends the alerts of --storm').implies({ storm: true }))
  return command.action(() => {
    const flags = command.opts<DemoFlags>()
    return runCommand(() => (flags.storm === undefined ? runDemo(flags) : runStorm(flags)))
  })
}

async function runStorm(flags: DemoFlags): Promise<number> {
  const resolve = flags.resolve === true
  const verb = resolve ? 'resolved' : 'sent'
  await askServer(flags, (server) =>
    sendStorm(server, {
      now: Date.now(),
      resolve,
      onProgress: (sent, all) => {
        if (sent % 2_500 === 0) console.log(`${verb} ${sent} of ${all} alerts`)
      },
    }),
  )
  if (!resolve) console.log('They have cluster="storm". `gatehouse demo --resolve` ends them.')
  return 0
}

async function runDemo(flags: DemoFlags): Promise<number> {
  const end = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort())
  // Of a program that runs this one beside it, such as npm start.
  process.once('disconnect', () => end.abort())
  const inbox = await openInbox(flags.inboxPort)
  const hooks = await webhooksOf(flags)
  try {
    let last = Date.now()
    let missedAt: number | undefined
    let wasReported = false
    while (!end.signal.aborted) {
      const now = Date.now()
      try {
        await askServer(flags, async (server) => {
          await feed(server, now, last)
          await silenceStaging(server, now)
          if (hooks !== undefined) await startJobs(hooks, now, last)
        })
        last = now
        missedAt = undefined
        wasReported = false
      } catch (error) {
        // The server may start later, or restart. What it refuses will not become right.
        if (isRefusal(error)) throw error
        missedAt ??= now
        if (!wasReported && now - missedAt >= roundMs) {
          writeErrorLine(`${String(error)}; trying again\n`)
          wasReported = true
        }
      }
      const ms = missedAt === undefined ? roundMs : retryMs
      await pause(ms, undefined, { signal: end.signal }).catch(() => {})
    }
    return 0
  } finally {
    inbox.close()
  }
}

async function webhooksOf(flags: DemoFlags): Promise<WebhooksClient | undefined> {
  const { webhookToken: token, webhookBasePath: basePath } = flags
  if (token === undefined) return undefined
  const { url, headers } = await namedServer(flags)
  const at = `${String(url).replace(/\/+$/, '')}${basePath}`
  return createWebhooksClient({ url: at, headers: { ...headers, 'x-webhook-token': token } })
}

function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return !isClientError(cause) || (cause.status >= 400 && cause.status < 500)
}
