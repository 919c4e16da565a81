import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type RecordedRun,
  recordedRuns,
  type TestWebhook,
  triggerRequest,
} from '../packages/cli/test/support/webhook-server.ts'
import type { Ask } from './alerts.ts'
import { webhookIds } from './plan.ts'
import type { Story } from './story.ts'

/** Clients of the webhook service. */
export interface RunClients {
  /** Requests a run, once. */
  run(webhook: string): void
  /** Resolves when all requests are over. */
  settled(): Promise<void>
  /** Reads the records of a process, and returns whether all runs have ended. */
  look(port: number): Promise<boolean>
  /** Checks all runs against the log of their commands. Call it once all runs have ended. */
  check(): Promise<void>
  /** How many runs were accepted. */
  accepted(): number
}

/** Options of {@link createRunClients}. */
export interface RunClientsOptions {
  readonly ask: Ask
  readonly story: Story
  /** The working directory of the commands. */
  readonly folder: string
}

/** How long the commands take, in seconds: some outlive the server that started them. */
const seconds: Readonly<Record<(typeof webhookIds)[number], number>> = {
  queued: 0.15,
  latest: 1.5,
  'waited-for': 0.4,
}

/**
 * Webhooks with one run at a time. A command holds a lock while any of its processes lives. It logs its begin, its end, and every
 * other command that it meets.
 */
export const webhooks: readonly TestWebhook[] = webhookIds.map((id) => ({
  id,
  execute_command: `
    exec 9>>${id}.lock
    flock --nonblock 9 || echo "$GATEHOUSE_RUN_ID" >>overlaps.txt
    echo "$GATEHOUSE_RUN_ID" >>begun.txt
    sleep ${seconds[id]}
    echo "$GATEHOUSE_RUN_ID" >>ended.txt`,
  mode: id === 'waited-for' ? 'sync' : 'async',
  on_busy: id === 'latest' ? 'latest' : 'queue',
  concurrency: 1,
  kill_grace: '300ms',
}))

const isOpen = ({ status }: Pick<RecordedRun, 'status'>): boolean =>
  status === 'queued' || status === 'running'

/** Creates {@link RunClients} that have requested nothing yet. */
export function createRunClients({ ask, story, folder }: RunClientsOptions): RunClients {
  const accepted = new Set<string>()
  /** The ends that senders were answered, by run. */
  const answered = new Map<string, string>()
  /** The final record of each run, as first seen. */
  const finals = new Map<string, RecordedRun>()
  const asked: Promise<void>[] = []

  const linesOf = async (name: string): Promise<readonly string[]> => {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    return text.split('\n').filter((line) => line !== '')
  }

  const trigger = async (webhook: string): Promise<void> => {
    const answer = await ask(triggerRequest(webhook))
    if (answer === undefined) return story.note(webhook, 'asked, and not answered')
    const { status, body } = answer
    // 409: a newer run superseded it before it was answered.
    if ([200, 202, 409].includes(status)) {
      const run: Pick<RecordedRun, 'run_id' | 'status'> & { recorded?: false } = JSON.parse(body)
      accepted.add(run.run_id)
      if (!isOpen(run) && run.recorded !== false) answered.set(run.run_id, run.status)
      story.note(webhook, `${run.run_id} was answered ${status} ${run.status}`)
    } else if (![429, 500, 503].includes(status)) {
      story.fail('requests are understood', `${webhook} got ${status}: ${body}`)
    }
  }

  return {
    run(webhook) {
      asked.push(trigger(webhook))
    },

    async settled() {
      await Promise.all(asked)
    },

    async look(port) {
      const records = await recordedRuns(port)
      for (const record of records.values()) {
        if (isOpen(record)) continue
        const known = finals.get(record.run_id)
        if (known === undefined) {
          finals.set(record.run_id, record)
          story.note(record.id, `${record.run_id} is ${record.status} ${record.reason ?? ''}`)
        } else if (known.status !== record.status || known.reason !== record.reason) {
          const change = `${known.status} ${known.reason} is now ${record.status} ${record.reason}`
          story.fail('a run has one final record', `${record.run_id}: ${change}`)
        }
      }
      return ![...records.values()].some(isOpen)
    },

    async check() {
      for (const run of accepted) {
        if (!finals.has(run)) story.fail('an accepted run has a record', run)
      }
      for (const [run, status] of answered) {
        const recorded = finals.get(run)?.status
        if (recorded === status) continue
        story.fail(
          'answers agree with records',
          `${run} was answered ${status}, and is ${recorded}`,
        )
      }
      for (const run of await linesOf('overlaps.txt')) {
        story.fail('one run of a webhook at a time', `${run} began while another one ran`)
      }
      const begun = await linesOf('begun.txt')
      const ended = new Set(await linesOf('ended.txt'))
      if (new Set(begun).size < begun.length) {
        story.fail(
          'a run is executed once',
          begun.filter((run, i) => begun.indexOf(run) < i).join(),
        )
      }
      for (const { run_id, status, reason } of finals.values()) {
        const isWrong =
          (status === 'succeeded' && !ended.has(run_id)) ||
          (status === 'superseded' && begun.includes(run_id)) ||
          status === 'failed'
        if (isWrong) story.fail('records are true', `${run_id} is ${status} ${reason}`)
      }
    },

    accepted: () => accepted.size,
  }
}
