import {
  checked,
  filledListOf,
  filledText,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  textLike,
  withDefault,
} from '../../document/schema.ts'
import type { CustomAttribute } from '../accounts/attribute-kind.ts'
import { isStandardPointer } from '../accounts/user-profile.ts'
import type { LoadedAuthConfig } from './config.ts'
import { ignoring } from './ignored.ts'
import { decimal, distinctBy, section } from './values.ts'

const customPointer = textLike(
  (pointer) => /^\/[A-Za-z0-9_]+$/.test(pointer) && !isStandardPointer(pointer),
  'a pointer such as /x_height, and none of a standard attribute',
)

const attribute = checked(
  mapping<CustomAttribute>(
    {
      id: required(filledText, 'The key of the stored value.'),
      pointer: required(customPointer, 'Its JSON pointer, such as `/x_height`.'),
      type: required(
        oneOf(
          'string',
          'number',
          'integer',
          'enum',
          'phone_number',
          'email',
          'url',
          'country_code',
        ),
        'The type of its values.',
      ),
      minimum: optional(decimal, 'The least number. Default: any.'),
      maximum: optional(decimal, 'The largest number. Default: any.'),
      enum: optional(filledListOf(filledText), 'The values of the type `enum`, which needs it.'),
    },
    { ignored: ignoring('access_control'), isOpen: true },
  ),
  ({ value, isBroken, report }) => {
    const { type, minimum, maximum } = value
    if (type === 'enum' && value.enum === undefined && !isBroken('enum')) {
      report(['enum'], 'required', 'is missing: the type enum needs it')
    }
    if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
      report(['maximum'], 'conflict', 'must not be less than minimum')
    }
  },
)

/** User profiles: standard and custom attributes. */
export const userProfile: Schema<LoadedAuthConfig['user_profile']> = mapping({
  standard_attributes: section(
    {
      population: section(
        {
          strategy: withDefault(
            oneOf('none', 'on_signup'),
            'on_signup',
            'Whether a sign-up takes over what an identity provider reports.',
          ),
        },
        'How they are filled in.',
      ),
    },
    'Attributes that any user may have.',
    { ignored: ignoring('access_control') },
  ),
  custom_attributes: section(
    {
      attributes: withDefault(
        distinctBy(attribute, { id: 'the id', pointer: 'the pointer' }),
        [],
        'The attributes. Default: none.',
      ),
    },
    'Attributes of your own.',
  ),
})
