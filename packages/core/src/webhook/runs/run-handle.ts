import type { Run } from '../run.ts'
import type { OutputStream } from '../runner/command.ts'
import type { Webhook } from '../webhook.ts'

/** Called with each piece of output; while its promise is pending no further piece comes. */
export type FollowOutput = (stream: OutputStream, chunk: Uint8Array) => void | Promise<void>

/** A run of this process that may still be under way. */
export interface RunHandle {
  readonly run_id: string
  readonly webhook: Webhook
  /** How the run stands at this moment. */
  snapshot(): Run
  /** Settles once it runs, or has ended without having run. Never rejects. */
  readonly started: Promise<Run>
  /** Settles once its end is recorded. Never rejects. */
  readonly ended: Promise<Run>
  /** Gives what is kept of the output so far, then what comes; settles after the last piece, or when it is stopped. */
  follow(listener: FollowOutput): { readonly done: Promise<void>; stop(): void }
  /** Ends it, politely first. Does nothing once it has ended. */
  cancel(reason: 'canceled' | 'disconnect' | 'shutdown'): void
}

/** What came of a delivery that was let in. */
export type Delivered =
  /** Its rules were not satisfied: nothing runs, and nothing is recorded. */
  | { readonly kind: 'skipped'; readonly webhook: Webhook }
  | {
      readonly kind: 'run'
      readonly webhook: Webhook
      readonly run: RunHandle
      /** Whether an earlier delivery of the same key made this run. */
      readonly isDuplicate: boolean
    }
