import type { LoadedAuthConfig } from '../../config/config.ts'
import type { OtpRequest } from '../../flow/state.ts'

/** Whether the duration and the outcome of delivery must stay hidden, since they could reveal that an account exists. */
export function hidesDelivery(
  { authentication }: LoadedAuthConfig,
  { purpose, message }: Pick<OtpRequest, 'purpose' | 'message'>,
): boolean {
  if (purpose === 'forgot_password') return true
  return message === 'authenticate_primary_oob' && authentication.enumeration_protection !== 'off'
}
