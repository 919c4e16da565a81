import { type Ask, askAny, type Q } from '../flow/asking.ts'
import type { BaseQuestions } from '../flow/questions.ts'
import type { LimitQuestions } from '../limits/limit-questions.ts'

/** Questions about trusted devices. */
export interface DeviceQuestions {
  /** Whether the request has a device token of the user that stands for one of these authenticators. */
  readonly device_token: Q<
    { readonly user_id: string; readonly authenticator_ids: readonly string[] },
    'valid' | 'unknown' | 'absent'
  >
}

export const ask: Ask<BaseQuestions & LimitQuestions & DeviceQuestions> = askAny
