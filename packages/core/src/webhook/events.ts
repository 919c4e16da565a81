import { errorText } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { WebhookErrorCode } from './errors.ts'
import type { Run } from './run.ts'
import type { OutputStream } from './runner/command.ts'

/** A refused request, and the reason. */
export interface RejectedRequest {
  /** The id of the webhook, if the request named one. */
  readonly webhook_id: string | undefined
  readonly request_id: string
  readonly client_ip: string | null
  /** The code of the answer, which is the `reason` of the error in a program. */
  readonly code: WebhookErrorCode
}

/** A piece of the output of a command. */
export interface RunOutput {
  readonly run_id: string
  /** The id of the webhook. */
  readonly webhook_id: string
  readonly stream: OutputStream
  readonly chunk: Uint8Array
}

/** The value that a listener gets, by the name of the event. */
export interface WebhookEventMap {
  /** A run waits for a place. */
  'run.queued': Run
  /** The command of a run has started. */
  'run.started': Run
  'run.output': RunOutput
  /** A run has ended, and its end is recorded, or `recorded` is false. Also for a run of another process that this process found lost. */
  'run.finished': Run
  'request.rejected': RejectedRequest
  /** A new configuration is in use. */
  'config.reloaded': { readonly webhooks: number }
  /** A configuration was refused, and the previous one is still in use; or one of its further files, whose former webhooks stay. */
  'config.rejected': { readonly error: unknown }
}

/** The name of an event. */
export type WebhookEventName = keyof WebhookEventMap

/** Gets an event. Errors that it throws or rejects with are logged and change nothing. */
export type WebhookListener<N extends WebhookEventName> = (event: WebhookEventMap[N]) => unknown

/** Emits the events of the service to listeners. */
export interface WebhookEvents {
  /** Calls the listener at every event of this name. Call the returned function to stop. */
  on<N extends WebhookEventName>(name: N, listener: WebhookListener<N>): () => void
  /** Removes a listener. */
  off<N extends WebhookEventName>(name: N, listener: WebhookListener<N>): void
  /** Emits an event; calls `make` only if there are listeners. @internal */
  emit<N extends WebhookEventName>(name: N, make: () => WebhookEventMap[N]): void
}

type Listeners = { [N in WebhookEventName]: Set<WebhookListener<N>> }

/** Creates {@link WebhookEvents} without listeners. */
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
    logger.error({ event: name, error: errorText(error) }, 'a listener failed')
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
