import type { BodyHold } from '../body/body-budget.ts'
import type { JsonText } from '../body/json-text.ts'

/** What a request says to a webhook, however it came. */
export interface Delivery {
  /** Of the webhook. */
  readonly id: string
  readonly token: string | undefined
  /** Where paths of sources start: an object with `data` and whatever else the request holds. */
  readonly body: JsonText
  /** The bytes as they came; `undefined` where a program calls, which signs nothing. */
  readonly rawBody: Uint8Array | undefined
  /** Whether `rawBody` was written anew because a body parser kept no bytes: a signature cannot be checked over it. */
  readonly isBodyRebuilt: boolean
  readonly method: string
  /** `undefined` for a header that is not there. */
  header(name: string): string | undefined
  /** The first value of a query parameter. */
  query(name: string): string | undefined
  readonly clientAddress: string | undefined
  readonly requestId: string
  /** How its sender was let in: it still has to be checked, its token has been, or it is the program itself. */
  readonly trust: 'unchecked' | 'token-checked' | 'program'
  /** Released once the body is no longer held. */
  readonly hold: Pick<BodyHold, 'release'>
}
