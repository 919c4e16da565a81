import type { PublicKey } from '../../crypto/public-key.ts'
import type { Write } from '../../storage/storage.ts'
import type { BodyHold } from '../body/body-budget.ts'
import type { JsonText } from '../body/json-text.ts'
import type { RunCause } from '../run.ts'

/** A delivery to a webhook, from any transport. */
export interface Delivery {
  /** The id of the webhook. */
  readonly id: string
  readonly token: string | undefined
  /** The root for paths of sources: an object with `data` and the other members of the request. */
  readonly body: JsonText
  /** The files of a form, by the names of their fields. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** The original bytes, decompressed; `undefined` for a call of the program, which has no signature. */
  readonly rawBody: Uint8Array | undefined
  /** Whether `rawBody` was serialized again because a body parser kept no bytes. Signatures over it cannot be verified. */
  readonly isBodyRebuilt: boolean
  readonly method: string
  /** `undefined` if the header is missing. */
  header(name: string): string | undefined
  /** The first value of a query parameter. */
  query(name: string): string | undefined
  /** All headers with lower-case names, but that of a token. */
  headers(): Iterable<readonly [name: string, value: string]>
  /** The query without a token, not decoded. */
  readonly search: string
  readonly clientAddress: string | undefined
  readonly clientPort: number | undefined
  readonly requestId: string
  /** The trust in its sender: still unchecked, with a checked token, a subject that may run the webhook, or the program itself. */
  readonly trust: 'unchecked' | 'token-checked' | 'authorized' | 'program'
  /** The subject that may run the webhook, which its run records. */
  readonly subject?: Extract<RunCause, { type: 'subject' }> | undefined
  /** The certificate that was fetched to check its signature, and its URL. */
  readonly certificate?: { readonly url: string; readonly key: PublicKey }
  /** Of a run that no sender asked for: what started it, and writes that belong into the commit that records it. */
  readonly planned?: {
    readonly cause: RunCause
    /** The id of the run, if the writes name it. */
    readonly run_id?: string
    readonly writes: readonly Write[]
  }
  /** Released once the body is no longer held. */
  readonly hold: Pick<BodyHold, 'release'>
}
