import type { NewPasswordData, PasswordPolicy } from '../protocol.ts'
import type { Field, StepPage } from './step-page.ts'

/** `new_password_data`: for a recovery, or because the old password must be changed. */
export function newPasswordPage(data: NewPasswordData): StepPage {
  const { password_policy: policy, masked_target: target, force_change_reason: reason } = data
  const whose = target === undefined ? {} : { text: `For the account of ${target}.` }
  return {
    title: 'Choose a new password',
    ...(reason === undefined ? whose : { text: reasons[reason] ?? 'It is time for a new one.' }),
    forms: [{ hidden: {}, fields: [newPasswordField(policy)], button: 'Set this password' }],
  }
}

const reasons: Readonly<Record<string, string>> = {
  expiry: 'You have had your password for a long time. It is time for a new one.',
  policy: 'The rules for passwords have changed, and yours does not follow them.',
}

/** A new password, with its policy. */
export function newPasswordField(policy: PasswordPolicy): Field {
  return {
    name: 'new_password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    ...(rulesOf(policy) === '' ? {} : { hint: rulesOf(policy) }),
  }
}

function rulesOf(policy: PasswordPolicy): string {
  const { minimum_length: length = 0 } = policy
  const needed = [
    length > 0 && `${length} characters`,
    policy.uppercase_required && 'a capital letter',
    policy.lowercase_required && 'a small letter',
    policy.alphabet_required && 'a letter',
    policy.digit_required && 'a digit',
    policy.symbol_required && 'a sign such as ! or #',
  ].filter((rule) => typeof rule === 'string')
  return needed.length === 0 ? '' : `At least ${needed.join(', ')}`
}
