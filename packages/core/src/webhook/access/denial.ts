import { type WebhookErrorCode, webhookError } from '../errors.ts'

/**
 * The refusal of a sender. A value instead of an error, because any sender can cause it: creating and throwing an error through all
 * awaiting callers takes longer than the rest of such a request.
 */
export class Denial {
  readonly code: WebhookErrorCode
  readonly message: string

  constructor(code: WebhookErrorCode, message: string) {
    this.code = code
    this.message = message
  }
}

/** The same as an error, for callers of an operation. */
export const denialError = ({ code, message }: Denial): Error => webhookError(code, message)
