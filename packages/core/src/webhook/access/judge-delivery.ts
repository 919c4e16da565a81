import type { Instant } from '../../time/clock.ts'
import type { Delivery } from '../request/delivery.ts'
import type { Judged } from '../request/rule.ts'
import { readSource } from '../request/source.ts'
import { verifySignature } from './signature.ts'

/** What rules ask about a delivery. A signature covers no query, so a request without a body has none. */
export function judgedDelivery(delivery: Delivery, now: Instant): Judged {
  const { clientAddress, method } = delivery
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return {
    clientAddress,
    read: (from) => readSource(from, delivery, now),
    isSigned: (signature) => hasBody && verifySignature(signature, delivery, now).accepted,
  }
}
