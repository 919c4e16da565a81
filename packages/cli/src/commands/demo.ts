import { setTimeout as pause } from 'node:timers/promises'
import { isClientError } from '@gatehouse/client'
import { Command } from 'commander'
import { openInbox } from '../demo/inbox.ts'
import { feed, silenceStaging } from '../demo/shop.ts'
import { integerFlag } from '../flags/flags.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { addServerFlags, askServer, type ServerFlags } from '../remote/server.ts'
import { runCommand } from '../run-command.ts'

interface DemoFlags extends ServerFlags {
  readonly inboxPort: number
}

const roundMs = 5_000

/** `gatehouse demo`: data that moves, for people who try things out. */
export function demoCommand(): Command {
  const command = new Command('demo').description(
    'Send the alerts of a small shop to a running server until it is ended: they fire and resolve, some are silenced. Receives notifications, too.',
  )
  addServerFlags(command).option(
    '--inbox-port <port>',
    'where on this machine webhook receivers can send notifications, which it shows there',
    integerFlag,
    9_094,
  )
  return command.action(() => runCommand(() => runDemo(command.opts<DemoFlags>())))
}

async function runDemo(flags: DemoFlags): Promise<number> {
  const end = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort())
  // Of a program that runs this one beside it, such as npm start.
  process.once('disconnect', () => end.abort())
  const inbox = await openInbox(flags.inboxPort)
  try {
    let last = Date.now()
    let wasThere = true
    while (!end.signal.aborted) {
      const now = Date.now()
      try {
        await askServer(flags, async (server) => {
          await feed(server, now, last)
          await silenceStaging(server, now)
        })
        last = now
        wasThere = true
      } catch (error) {
        // The server may start later, or anew. What it refuses will not become right.
        if (isRefusal(error)) throw error
        if (wasThere) writeErrorLine(`${String(error)}; trying again\n`)
        wasThere = false
      }
      await pause(roundMs, undefined, { signal: end.signal }).catch(() => {})
    }
    return 0
  } finally {
    inbox.close()
  }
}

function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return !isClientError(cause) || (cause.status >= 400 && cause.status < 500)
}
