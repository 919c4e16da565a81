import type { Field, StepPage } from './step-page.ts'

/**
 * The profile fields of a sign-up. The protocol does not list the attributes of a step, so keep this list equal to `user_profile`
 * of the step in the configuration.
 */
export const defaultProfileFields: readonly Field[] = [
  { name: '/given_name', label: 'Given name', autocomplete: 'given-name' },
  { name: '/family_name', label: 'Family name', autocomplete: 'family-name', isOptional: true },
]

/** `fill_in_user_profile` */
export function profilePage(fields: readonly Field[]): StepPage {
  const numbers = fields.filter(({ isNumber }) => isNumber).map(({ name }) => name)
  return {
    title: 'About you',
    forms: [
      { hidden: { _attributes: true, _numbers: numbers.join(' ') }, fields, button: 'Continue' },
    ],
  }
}
