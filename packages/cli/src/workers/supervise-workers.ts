import cluster, { type Worker as ClusterWorker } from 'node:cluster'
import { constants } from 'node:os'
import type { Logger } from '@gatehouse/core'
import { writeErrorLine } from '../log/line-writer.ts'
import { createLogger } from '../log/logger.ts'
import type { InheritedSockets } from '../server/inherited-sockets.ts'
import { collectMetrics } from './collect-metrics.ts'
import {
  type FromWorker,
  firstVariable,
  numberVariable,
  socketsVariable,
  type ToWorker,
} from './messages.ts'
import { nextRestart } from './next-restart.ts'

/** A worker process, and the attempts to keep it running. */
interface Place {
  readonly number: number
  worker: ClusterWorker | undefined
  isReady: boolean
  earlyEnds: number
  restart: NodeJS.Timeout | undefined
}

/**
 * Runs this program in several processes that accept connections at the same places, until a signal stops them. The first one
 * starts alone: if it cannot serve, none can. A worker that ends is replaced, but the last one takes sockets of a service manager
 * with it, which are then to be had by a new start only.
 *
 * @returns the exit code: that of a worker that failed, otherwise 0.
 */
export function superviseWorkers(count: number, sockets: InheritedSockets): Promise<number> {
  const places = Array.from({ length: count }, (_, index) => emptyPlace(index + 1))
  let logger: Logger | undefined
  let stops = 0
  let exitCode = 0
  let finish = (): void => {}

  const send = ({ worker }: Place, message: ToWorker): void => {
    if (worker?.isConnected()) worker.send(message, () => {})
  }
  const metrics = collectMetrics((place: Place, message) => send(place, message))

  const start = (place: Place): void => {
    const startedAt = performance.now()
    const worker = fork(place, sockets, logger === undefined)
    place.worker = worker
    worker.on('message', (message: FromWorker) => receive(place, message))
    // Without a process there is no exit.
    worker.once('error', (error) => ended(place, { error: error.message }, startedAt))
    worker.once('exit', (code, signal) => ended(place, { code, signal }, startedAt))
  }

  const receive = (place: Place, message: FromWorker): void => {
    const others = places.filter((one) => one !== place && one.isReady)
    if (message.type === 'reload') {
      for (const other of others) send(other, { type: 'signal', signal: 'SIGHUP' })
    } else if (message.type === 'collect') {
      metrics.collect(place, others, message)
    } else if (message.type === 'exposed') {
      metrics.exposed(place, message)
    } else {
      place.isReady = true
      if (logger !== undefined) return
      logger = createLogger(message.log)
      for (const address of message.addresses) writeErrorLine(`listening on ${address}\n`)
      if (stops === 0) for (const other of places) if (other !== place) start(other)
    }
  }

  const ended = (
    place: Place,
    fields: { readonly code?: number | null; readonly signal?: string; readonly error?: string },
    startedAt: number,
  ): void => {
    if (place.worker === undefined) return
    const pid = place.worker.process.pid
    const { isReady: wasReady } = place
    place.worker = undefined
    place.isReady = false
    metrics.gone(place)
    if (stops > 0) {
      if (wasReady) exitCode ||= fields.code ?? 1
      if (places.every(({ worker }) => worker === undefined)) finish()
      return
    }
    if (logger === undefined) {
      exitCode = fields.code ?? 1
      finish()
    } else if (sockets.places.length > 0 && places.every(({ isReady }) => !isReady)) {
      logger.error({ worker: place.number, ...fields }, 'the last worker that listened ended')
      exitCode = 1
      finish()
    } else {
      replace(place, { pid, ...fields }, performance.now() - startedAt, logger)
    }
  }

  const replace = (place: Place, fields: object, livedMs: number, logger: Logger): void => {
    const { earlyEnds, delayMs } = nextRestart(place.earlyEnds, livedMs)
    place.earlyEnds = earlyEnds
    logger.error({ worker: place.number, ...fields, delayMs }, 'a worker ended: replacing it')
    place.restart = setTimeout(() => start(place), delayMs)
  }

  const onStop = (signal: 'SIGTERM' | 'SIGINT'): void => {
    stops++
    if (stops > 1) exitCode = 128 + constants.signals[signal]
    for (const place of places) {
      clearTimeout(place.restart)
      if (stops > 2) place.worker?.process.kill('SIGKILL')
      else send(place, { type: 'signal', signal })
    }
    if (places.every(({ worker }) => worker === undefined)) finish()
  }
  const onReload = (): void => {
    for (const place of places) {
      if (place.isReady) send(place, { type: 'signal', signal: 'SIGHUP' })
    }
  }
  process.on('SIGTERM', onStop)
  process.on('SIGINT', onStop)
  process.on('SIGHUP', onReload)
  process.on('SIGUSR1', onReload)

  return new Promise((resolve) => {
    finish = () => resolve(exitCode)
    const [first] = places
    if (first !== undefined) start(first)
  })
}

const emptyPlace = (number: number): Place => ({
  number,
  worker: undefined,
  isReady: false,
  earlyEnds: 0,
  restart: undefined,
})

const fork = ({ number }: Place, sockets: InheritedSockets, isFirst: boolean): ClusterWorker =>
  cluster.fork({
    [numberVariable]: `${number}`,
    [socketsVariable]: JSON.stringify(sockets),
    ...(isFirst ? { [firstVariable]: '1' } : {}),
  })
