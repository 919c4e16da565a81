import { type WebhookErrorCode, webhookError } from '../errors.ts'

/**
 * Why a sender is not let in. A value and no error, since anybody can provoke one at will: to make an error and to throw it
 * through all that waits for an answer takes longer than everything else that is done for such a request.
 */
export class Denial {
  readonly code: WebhookErrorCode
  readonly message: string

  constructor(code: WebhookErrorCode, message: string) {
    this.code = code
    this.message = message
  }
}

/** The same as an error, for who calls an operation. */
export const denialError = ({ code, message }: Denial): Error => webhookError(code, message)
