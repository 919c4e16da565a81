import type { Logger } from '../logger.ts'
import type { Run } from './run.ts'
import type { OutputStream } from './runner/command.ts'

/** Whose request was refused, and why. */
export interface RejectedRequest {
  /** Of the webhook that was asked for, if the request said so. */
  readonly id: string | undefined
  readonly request_id: string
  readonly client_ip: string | null
  /** What it was refused with: the `reason` of the error, or the code of the answer. */
  readonly code: string
}

/** A piece of what a command writes. */
export interface RunOutput {
  readonly run_id: string
  /** Of the webhook. */
  readonly id: string
  readonly stream: OutputStream
  readonly chunk: Uint8Array
}

/** What a listener is told, by the name of the event. */
export interface WebhookEventMap {
  /** A run has to wait for a place. */
  'run.queued': Run
  /** The command of a run was started. */
  'run.started': Run
  'run.output': RunOutput
  /** A run has ended, and its end is recorded; also one of another process that this one has found lost. */
  'run.finished': Run
  'request.rejected': RejectedRequest
  /** Another configuration runs. */
  'config.reloaded': { readonly webhooks: number }
  /** A configuration was refused; the one before still runs. */
  'config.rejected': { readonly error: unknown }
}

/** The name of an event. */
export type WebhookEventName = keyof WebhookEventMap

/** Is told of an event. What it throws or rejects with is logged and changes nothing. */
export type WebhookListener<N extends WebhookEventName> = (event: WebhookEventMap[N]) => unknown

/** Tells who listens what happens. */
export interface WebhookEvents {
  /** Calls a listener at every event of this name, until the answered function is called. */
  on<N extends WebhookEventName>(name: N, listener: WebhookListener<N>): () => void
  /** Calls a listener no more. */
  off<N extends WebhookEventName>(name: N, listener: WebhookListener<N>): void
  /** Tells who listens; `make` is called only if somebody does. @internal */
  emit<N extends WebhookEventName>(name: N, make: () => WebhookEventMap[N]): void
}

type Listeners = { [N in WebhookEventName]: Set<WebhookListener<N>> }

/** {@link WebhookEvents} that nobody listens to yet. */
export function createWebhookEvents(logger: Logger): WebhookEvents {
  const listeners: Listeners = {
    'run.queued': new Set(),
    'run.started': new Set(),
    'run.output': new Set(),
    'run.finished': new Set(),
    'request.rejected': new Set(),
    'config.reloaded': new Set(),
    'config.rejected': new Set(),
  }
  const failed = (name: WebhookEventName, error: unknown): void => {
    logger.error({ event: name, error: String(error) }, 'a listener failed')
  }
  const off = <N extends WebhookEventName>(name: N, listener: WebhookListener<N>): void => {
    listeners[name].delete(listener)
  }

  return {
    on(name, listener) {
      listeners[name].add(listener)
      return () => off(name, listener)
    },

    off,

    emit(name, make) {
      if (listeners[name].size === 0) return
      const event = make()
      for (const listener of [...listeners[name]]) {
        try {
          const answer = listener(event)
          if (answer instanceof Promise) answer.catch((error: unknown) => failed(name, error))
        } catch (error) {
          failed(name, error)
        }
      }
    },
  }
}
