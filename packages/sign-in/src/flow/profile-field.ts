/** An attribute of a profile, as a form needs it. */
export interface ProfileField {
  readonly pointer: string
  readonly required?: boolean | undefined
  readonly type?: string | undefined
  readonly enum?: readonly string[] | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
}

/** How browsers fill in standard attributes. */
const autocompletes: Readonly<Record<string, string>> = {
  '/name': 'name',
  '/given_name': 'given-name',
  '/family_name': 'family-name',
  '/middle_name': 'additional-name',
  '/nickname': 'nickname',
  '/website': 'url',
  '/gender': 'sex',
  '/birthdate': 'bday',
  '/locale': 'language',
  '/email': 'email',
  '/phone_number': 'tel',
  '/address/street_address': 'street-address',
  '/address/locality': 'address-level2',
  '/address/region': 'address-level1',
  '/address/postal_code': 'postal-code',
  '/address/country': 'country-name',
}

/** The token by which browsers fill in an attribute. */
export const autocompleteOf = ({ pointer }: ProfileField): string => autocompletes[pointer] ?? 'off'

/** The type of the field that takes an attribute. */
export function inputTypeOf({
  pointer,
  type,
}: ProfileField): 'date' | 'url' | 'number' | 'email' | 'tel' | 'text' {
  if (pointer === '/birthdate') return 'date'
  if (pointer === '/website' || pointer === '/profile' || pointer === '/picture') return 'url'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'email') return 'email'
  if (type === 'phone_number') return 'tel'
  return type === 'url' ? 'url' : 'text'
}

/** What was typed into a field, as the service takes it; `undefined` for an empty one. */
export function attributeValue(typed: string, { type }: ProfileField): unknown {
  const text = typed.trim()
  if (text === '') return undefined
  return type === 'number' || type === 'integer' ? Number(text) : text
}

/** The attributes of a form: `typed` returns the text of the field of a pointer. Empty fields are left out. */
export const attributesOf = (
  fields: readonly ProfileField[],
  typed: (pointer: string) => string,
): readonly { readonly pointer: string; readonly value: unknown }[] =>
  fields.flatMap((field) => {
    const value = attributeValue(typed(field.pointer), field)
    return value === undefined ? [] : [{ pointer: field.pointer, value }]
  })
