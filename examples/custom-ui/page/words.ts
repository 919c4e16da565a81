import { isClientError } from '@gatehouse/client'

/** The sentences for users, by the reason of an error. They reveal no more than the service does. */
const sentences: Readonly<Record<string, string>> = {
  UserNotFound: 'No account found. Check your entry, or sign up.',
  InvariantViolated: 'This account already exists. Sign in to it instead.',
  InvalidVerificationCode: 'The code is wrong, or it has expired.',
  PasswordResetFailed: 'The code is wrong, or it was used before.',
  ChangePasswordFailed: 'You have used this password before. Choose a new one.',
  PasswordTooShort: 'The password is too short.',
  PasswordReused: 'You have used this password before. Choose a new one.',
  PasswordPolicyViolated: 'The password does not follow the rules.',
  ValidationFailed: 'A field is missing or has the wrong format.',
  OAuthError: 'The provider did not let you in. Try again, or choose another way.',
  RateLimited: 'There were too many attempts. Wait a while, and try again.',
  TooManyRequest: 'There were too many attempts. Wait a while, and try again.',
  AccountLockout: 'The account is locked. Wait a while, and try again.',
  OTPDeliveryUnexpectedError: 'The message could not be sent. Try again later.',
  DisabledUser: 'This account is disabled. Contact our support.',
  Unreachable: 'No connection. Try again later.',
}

const credentials: Readonly<Record<string, string>> = {
  password: 'The password is wrong.',
  totp: 'The code is wrong. Each code works once, for half a minute.',
  recovery_code: 'The recovery code is wrong, or it was used before.',
  passkey: 'The passkey was not accepted. Try another way.',
}

const otherwise = 'This did not work. Try again, or start over.'

/** An error message for users. */
export function problemsOf(error: unknown): readonly string[] {
  if (!isClientError(error)) {
    // Browsers do not say whether the user declined or has no passkey.
    const isDeclined = Object(error).name === 'NotAllowedError'
    return [isDeclined ? 'No passkey was used. Try again, or choose another way.' : otherwise]
  }
  const { reason, info } = error
  if (reason === 'InvalidCredentials') {
    return [credentials[info.AuthenticationType ?? ''] ?? 'The code is wrong, or it has expired.']
  }
  const causes = (info.causes ?? []).flatMap((cause) => ('Name' in cause ? [cause.Name] : []))
  const known = causes.flatMap((name) => sentences[name] ?? [])
  return known.length > 0 ? known : [sentences[reason] ?? otherwise]
}
