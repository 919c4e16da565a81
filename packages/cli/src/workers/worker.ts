import cluster from 'node:cluster'
import { EventEmitter } from 'node:events'
import type { MetricsRegistry } from '@gatehouse/core'
import type { InheritedSockets } from '../server/inherited-sockets.ts'
import type { SignalSource } from '../shutdown.ts'
import { mergeMetrics } from './merge-metrics.ts'
import {
  type FromWorker,
  firstVariable,
  numberVariable,
  type PassedSignal,
  type ReadyWorker,
  socketsVariable,
  type ToWorker,
  type WorkerText,
} from './messages.ts'

/** This process, as one of several that serve at the same places. */
export interface Worker {
  /** Whether none has run before it, so that it may remove socket files that earlier servers left behind. */
  readonly isFirst: boolean
  /** The sockets that a service manager has opened. The first process has them, and passes on their connections. */
  readonly sockets: InheritedSockets
  /** The signals that the first process has received. */
  readonly signals: SignalSource
  /** Reports that this worker listens. */
  ready(about: ReadyWorker): void
  /** Lets the other workers reload. Does nothing before this one listens. */
  reloadOthers(): void
  /** The same metrics, exposed together with those of the other workers. */
  share(metrics: MetricsRegistry): MetricsRegistry
}

/** How long a worker may take to stop after the first process has ended. */
const maxOrphanMs = 60_000

/** Connects this worker with the first process. Call it once. */
export function createWorker(): Worker {
  const number = Number(process.env[numberVariable])
  const isFirst = process.env[firstVariable] !== undefined
  const sockets: InheritedSockets = JSON.parse(process.env[socketsVariable] ?? '')
  // Commands that webhooks run must not inherit them.
  delete process.env[numberVariable]
  delete process.env[firstVariable]
  delete process.env[socketsVariable]
  const signals = new EventEmitter()
  // A terminal, and a service manager, send signals to every process of a group. While there is a first process, only that one
  // follows them.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      if (!process.connected) signals.emit(signal)
    })
  }
  const waiting = new Map<number, (texts: readonly WorkerText[]) => void>()
  let own: MetricsRegistry | undefined
  let isReady = false
  let lastId = 0

  const send = (message: FromWorker): void => {
    if (process.connected) process.send?.(message, undefined, {}, () => {})
  }
  const onSignal = (signal: PassedSignal): void => {
    const isFollowed = signals.emit(signal)
    // It has not begun to serve.
    if (!isFollowed && signal !== 'SIGHUP') process.exit(0)
  }
  process.on('message', async (message: ToWorker) => {
    if (message.type === 'signal') onSignal(message.signal)
    if (message.type === 'collected') waiting.get(message.id)?.(message.texts)
    if (message.type === 'expose') {
      const exposed = await own?.expose(message.accept)
      send({ type: 'exposed', id: message.id, text: exposed?.body ?? '' })
    }
  })
  cluster.worker?.once('disconnect', () => {
    // The first process is gone. Node.js would exit at once.
    if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
    onSignal('SIGTERM')
    // No other process would end a worker that cannot stop, as when its database is gone too.
    setTimeout(() => process.exit(1), maxOrphanMs).unref()
  })

  const collect = (accept: string | null): Promise<readonly WorkerText[]> => {
    if (!process.connected) return Promise.resolve([])
    const id = ++lastId
    return new Promise((resolve) => {
      waiting.set(id, (texts) => {
        waiting.delete(id)
        resolve(texts)
      })
      send({ type: 'collect', id, accept })
    })
  }

  return {
    isFirst,
    sockets,
    signals,
    ready(about) {
      isReady = true
      send({ type: 'ready', ...about })
    },
    reloadOthers() {
      if (isReady) send({ type: 'reload' })
    },
    share(metrics) {
      own = metrics
      return {
        ...metrics,
        async expose(accept) {
          const others = await collect(accept)
          const { contentType, body } = await metrics.expose(accept)
          return { contentType, body: mergeMetrics([{ worker: number, text: body }, ...others]) }
        },
      }
    },
  }
}
