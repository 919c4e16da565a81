import type { Problem } from './problem.ts'

type Sentence = string | ((amount: number) => string)

/** A wait in words. */
export function wait(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'one second' : `${Math.ceil(seconds)} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'one minute' : `${minutes} minutes`
}

/** The sentences for users, by the code of a problem. They reveal no more than the service does. */
const sentences: Readonly<Record<string, Sentence>> = {
  'login_id.email': 'Enter an email address, like maya@example.com.',
  'login_id.phone': 'Enter a phone number with its country code, like +6591234567.',
  'login_id.username': 'A username has letters, digits, and . _ - only.',
  'login_id.required': 'Fill this in.',
  'login_id.minLength': 'Fill this in.',
  'login_id.maxLength': 'This is too long.',
  'login_id.BlockPlusSign': 'Addresses with a plus sign cannot be used here.',
  'login_id.UsernameReserved': 'This name cannot be used. Choose another one.',
  'login_id.UsernameExcludedKeywords': 'This name cannot be used. Choose another one.',
  'target.email': 'Enter an email address, like maya@example.com.',
  'target.phone': 'Enter a phone number with its country code, like +6591234567.',
  'attributes.required': 'Fill in every required field.',
  'attributes.format': 'The format is wrong. Check your entry.',
  UserNotFound: 'No account found. Check your entry, or sign up.',
  'UserNotFound.oauth': 'This identity has no account yet. Sign up first.',
  DuplicatedIdentity: 'This account already exists. Sign in to it instead.',
  NoAuthenticator: 'This account needs a second factor, and has none. Contact our support.',
  'InvalidCredentials.password': 'The password is wrong.',
  'InvalidCredentials.totp': 'The code is wrong. Each code works once, for half a minute.',
  'InvalidCredentials.oob_otp_email': 'The code is wrong, or it has expired.',
  'InvalidCredentials.oob_otp_sms': 'The code is wrong, or it has expired.',
  'InvalidCredentials.recovery_code': 'The recovery code is wrong, or it was used before.',
  'InvalidCredentials.passkey': 'The passkey was not accepted. Try another way.',
  InvalidVerificationCode: 'The code is wrong, or it has expired.',
  LinkNotOpened: 'The link was not opened and confirmed yet.',
  CodeIsDead: 'Too many wrong codes. Ask for a new one.',
  PasswordTooShort: (length) => `The password is too short: it needs ${length} characters.`,
  PasswordTooLong: 'The password is too long.',
  PasswordUppercaseRequired: 'The password needs a capital letter (A to Z).',
  PasswordLowercaseRequired: 'The password needs a small letter (a to z).',
  PasswordAlphabetRequired: 'The password needs a letter.',
  PasswordDigitRequired: 'The password needs a digit.',
  PasswordSymbolRequired: 'The password needs a character other than letters and digits.',
  PasswordContainingExcludedKeywords: 'The password contains a word that is not allowed.',
  PasswordBelowGuessableLevel: 'The password is too easy to guess.',
  PasswordReused: 'You have used this password before. Choose a new one.',
  'ChangePasswordFailed.PasswordReused': 'You have used this password before. Choose a new one.',
  'PasswordResetFailed.InvalidCode': 'The code is wrong, or it has expired.',
  'PasswordResetFailed.UsedCode': 'This code was used before. Ask for a new one.',
  ForgotPasswordFailed: 'Passwords cannot be reset here.',
  'OAuthError.access_denied':
    'The provider did not tell us who you are. Try again, or choose another way.',
  OAuthError: 'The provider did not let you in. Try again, or choose another way.',
  OAuthProtocolError: 'The provider cannot be reached. Try again, or choose another way.',
  OAuthProviderMissingCredentials: 'This provider is not set up yet. Choose another way.',
  SelectAccountSessionChanged: 'You are no longer signed in to that account. Sign in again.',
  AuthenticationFlowDifferentUserID: 'That was another account. Sign in to the requested one.',
  AuthenticationFlowNoPublicSignup: 'Signing up is closed.',
  AuthenticationFlowNotAllowed: 'This cannot be done here.',
  HookDisallowed: 'This was not allowed.',
  DisabledUser: 'This account is disabled. Contact our support.',
  AnonymizedUser: 'This account no longer exists.',
  ScheduledDeletionByAdmin: 'This account is about to be deleted.',
  ScheduledDeletionByEndUser: 'This account is about to be deleted, as you requested.',
  ScheduledAnonymizationByAdmin: 'This account is about to be deleted.',
  UserOutsideValidPeriod: 'This account cannot be used at this time.',
  Cooldown: 'A message was sent a moment ago. Wait before you ask for another one.',
  'Cooldown.wait': (seconds) => `A message was sent a moment ago. Ask again in ${wait(seconds)}.`,
  RateLimited: 'There were too many attempts. Wait a while, and try again.',
  'RateLimited.wait': (seconds) => `There were too many attempts. Try again in ${wait(seconds)}.`,
  TooManyRequest: 'There were too many attempts. Wait a while, and try again.',
  'TooManyRequest.wait': (seconds) =>
    `There were too many attempts. Try again in ${wait(seconds)}.`,
  AccountLockout: 'The account is locked. Wait a while, and try again.',
  'AccountLockout.wait': (seconds) =>
    `There were too many wrong attempts, and the account is locked. Try again in ${wait(seconds)}.`,
  SMSNotSupported: 'Text messages are not available. Choose another way.',
  OTPDeliveryUnexpectedError: 'The message could not be sent. Try again in a while.',
  ValidationFailed: 'A field is missing or has the wrong format.',
}

/** The sentence for a problem. Unknown codes get a general one, because their reason is for programs. */
export function wordsOf({ code, amount = 0 }: Problem): string {
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  if (sentence === undefined) return 'This did not work. Try again, or start over.'
  return typeof sentence === 'string' ? sentence : sentence(amount)
}
