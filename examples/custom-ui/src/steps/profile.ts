import type { Field, StepPage } from './step-page.ts'

/**
 * What the sign-up asks people about themselves. The protocol does not say which attributes a step wants, so this is the same
 * list as `user_profile` of the step in the configuration.
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
