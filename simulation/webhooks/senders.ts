import { isGatehouseError, runWebhook, type WebhooksContext } from '@gatehouse/core'
import type { RunStatus } from '@gatehouse/core/webhook'
import type { Cluster } from '../cluster.ts'
import type { Life } from '../machine.ts'
import { ownScript, token, webhooks } from './config.ts'
import type { DeliverEvent, Script } from './plan.ts'

/** A delivery sent to a process. */
export interface Sent {
  readonly event: DeliverEvent
  readonly to: Life
  readonly at: number
  /** The answer; `undefined` until it arrives. */
  answer:
    | {
        readonly at: number
        readonly runId: string
        readonly status: RunStatus
        readonly isRecorded: boolean
      }
    | { readonly at: number; readonly refused: string }
    | undefined
}

/** Programs that send deliveries. */
export interface Senders {
  readonly sent: readonly Sent[]
  /** The script of the command that is started with this argument. */
  scriptOf(argument: string): Script
  /** Sends a delivery to a process, by default any. Repeats one with a key until it is known to be accepted. */
  deliver(event: DeliverEvent, to?: Life['machine']): void
}

/** How long a sender waits for an answer, in ms. */
const patienceMs = 20_000
const maxAttempts = 4

/** Senders that have sent nothing yet. */
export function createSenders(cluster: Cluster<WebhooksContext>): Senders {
  const { timeline, machines, ask, tell } = cluster
  const random = cluster.draw('senders')
  const sent: Sent[] = []
  const scripts: DeliverEvent[] = []

  const send = (event: DeliverEvent, script: number, to?: Life['machine']): Sent | undefined => {
    const running = machines.filter(({ life }) => life !== undefined)
    if (running.length === 0) return undefined
    const machine = to ?? random.pick(running)
    if (machine.life === undefined) return undefined
    const one: Sent = { event, to: machine.life, at: timeline.now, answer: undefined }
    sent.push(one)
    const { webhook, key } = event
    const data = { script: String(script), key: String(key) }
    ask(machine, (service) => runWebhook(service, { id: webhook, token, data })).then(
      (run) => {
        if (!('id' in run)) return
        const { id: runId, status, recorded } = run
        const isRecorded = recorded !== false
        one.answer = { at: timeline.now, runId, status, isRecorded }
        const doubt = isRecorded ? '' : ', not recorded yet'
        tell(`${machine.name}: answers ${webhook} ${script}: ${runId} is ${status}${doubt}`)
      },
      (error: unknown) => {
        const refused = isGatehouseError(error) ? error.reason : String(error)
        one.answer = { at: timeline.now, refused }
        tell(`${machine.name}: refuses ${webhook} ${script}: ${refused}`)
      },
    )
    return one
  }

  return {
    sent,

    scriptOf(argument) {
      if (argument === ownScript) return { takesMs: 200, exitCode: 0, isStubborn: false }
      const script = scripts[Number(argument)]
      if (script === undefined) throw new Error(`no sender sent "${argument}"`)
      return script
    },

    deliver(event, to) {
      const script = scripts.push(event) - 1
      const { hasKeys } = webhooks.find(({ id }) => id === event.webhook) ?? { hasKeys: false }
      const attempt = (nth: number): void => {
        const one = send(event, script, to)
        if (!hasKeys || nth === maxAttempts) return
        timeline.schedule(random.between(1_000, patienceMs), 'sends again', () => {
          if (one?.answer === undefined || 'refused' in one.answer) attempt(nth + 1)
        })
      }
      attempt(1)
    },
  }
}
