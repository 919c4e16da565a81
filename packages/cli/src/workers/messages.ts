import type { LogSettings } from '../log/logger.ts'

/** A signal for all workers. SIGHUP stands for every signal that reloads. */
export type PassedSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP'

/** What the first process sends to a worker. */
export type ToWorker =
  | { readonly type: 'signal'; readonly signal: PassedSignal }
  /** Asks for the worker's own metrics. */
  | { readonly type: 'expose'; readonly id: number; readonly accept: string | null }
  /** The metrics of the other workers, in answer to `collect`. */
  | { readonly type: 'collected'; readonly id: number; readonly texts: readonly WorkerText[] }

/** What a worker sends to the first process. */
export type FromWorker =
  | ({ readonly type: 'ready' } & ReadyWorker)
  /** Reloads the other workers. */
  | { readonly type: 'reload' }
  /** Asks for the metrics of the other workers. */
  | { readonly type: 'collect'; readonly id: number; readonly accept: string | null }
  /** The worker's own metrics, in answer to `expose`. */
  | { readonly type: 'exposed'; readonly id: number; readonly text: string }

/** What is known of a worker that listens. */
export interface ReadyWorker {
  /** The addresses for the line that says so; empty if the command has no such line. */
  readonly addresses: readonly string[]
  readonly log: LogSettings
}

/** The metrics of one worker. */
export interface WorkerText {
  readonly worker: number
  readonly text: string
}

/** The variable that tells a worker its number. */
export const numberVariable = 'GATEHOUSE_WORKER'
/** The variable of the first worker that starts: socket files from earlier servers are its to remove. */
export const firstVariable = 'GATEHOUSE_WORKER_FIRST'
/** The variable with the sockets that a service manager has opened for the first process, in JSON. */
export const socketsVariable = 'GATEHOUSE_WORKER_SOCKETS'
