import type { RunOutputs } from '../records/run-record.ts'
import type { FilledAnswer } from '../request/answer.ts'
import type { Run } from '../run.ts'
import type { OutputStream } from '../runner/command.ts'
import type { HandshakeAnswer, Webhook } from '../webhook.ts'

/** Called with each piece of output; while its promise is pending, no further piece comes. */
export type FollowOutput = (stream: OutputStream, chunk: Uint8Array) => void | Promise<void>

/** A run that may still be in progress. */
export interface RunHandle {
  readonly run_id: string
  readonly webhook: Webhook
  /** The current state of the run. */
  snapshot(): Run
  /** Settles once it runs, or has ended without starting. Never rejects. */
  readonly started: Promise<Run>
  /** Settles once its end is recorded. Never rejects. */
  readonly ended: Promise<Run>
  /** The kept output, in bytes. Of a run of another process, once it has ended. */
  outputs(): RunOutputs
  /** Passes on the kept output, then new output; settles after the last piece, or when it is stopped. */
  follow(listener: FollowOutput): { readonly done: Promise<void>; stop(): void }
  /** Ends it, with SIGTERM first. Has no effect once it has ended. */
  cancel(reason: 'canceled' | 'disconnect' | 'shutdown'): void
}

/** The result of an admitted delivery. */
export type Delivered =
  /** It has an answer that needs no run, or its rules were not satisfied: nothing runs, and nothing is recorded. */
  | {
      readonly kind: 'skipped'
      readonly webhook: Webhook
      readonly answer?: FilledAnswer & { readonly status: number }
    }
  /** A ping or a challenge of its sender: nothing runs, and nothing is recorded. */
  | { readonly kind: 'greeted'; readonly webhook: Webhook; readonly answer: HandshakeAnswer }
  | {
      readonly kind: 'run'
      readonly webhook: Webhook
      readonly run: RunHandle
      /** Whether an earlier delivery of the same key made this run. */
      readonly isDuplicate: boolean
      /** The text of the configuration that answers it. */
      readonly answer: FilledAnswer | undefined
    }
