import { sectionOf, wholeOf } from '../../document/fields.ts'
import { type Decode, findMember, memberOrSelf, type Place, report } from '../../document/place.ts'
import { filledListOf, filledText, listOf, oneOf, textLike } from '../../document/values.ts'
import type { CustomAttribute } from '../accounts/attribute-kind.ts'
import { isStandardPointer } from '../accounts/user-profile.ts'
import type { LoadedAuthConfig } from './config.ts'
import { defaultAuthConfig } from './default-config.ts'
import { ignoring } from './ignored.ts'
import { decimal } from './values.ts'

type Profile = LoadedAuthConfig['user_profile']

const { user_profile: defaults } = defaultAuthConfig('', '')

const customPointer = textLike(
  (pointer) => /^\/[A-Za-z_][A-Za-z0-9_]*$/.test(pointer) && !isStandardPointer(pointer),
  'a pointer such as /x_height, and none of a standard attribute',
)

type WrittenAttribute = Pick<CustomAttribute, 'id' | 'pointer' | 'type'> & Partial<CustomAttribute>

const writtenAttribute = wholeOf<WrittenAttribute>(
  {
    id: filledText,
    pointer: customPointer,
    type: oneOf(
      'string',
      'number',
      'integer',
      'enum',
      'phone_number',
      'email',
      'url',
      'country_code',
    ),
    minimum: decimal,
    maximum: decimal,
    enum: filledListOf(filledText),
  },
  { required: ['id', 'pointer', 'type'], ignored: ignoring('access_control') },
)

const attribute: Decode<CustomAttribute> = (place) => {
  const given = writtenAttribute(place)
  if (given === undefined) return undefined
  const { minimum, maximum, enum: values = [], type } = given
  if (type === 'enum' && findMember(place, 'enum') === undefined) {
    report(memberOrSelf(place, 'enum'), 'required', 'is missing: the type enum needs it')
  }
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    report(memberOrSelf(place, 'maximum'), 'conflict', 'must not be less than minimum')
  }
  return { ...given, minimum, maximum, enum: values }
}

const attributes: Decode<readonly CustomAttribute[]> = (place) => {
  const seen = { id: new Set<string>(), pointer: new Set<string>() }
  return listOf((at: Place) => {
    const given = attribute(at)
    for (const key of ['id', 'pointer'] as const) {
      if (given === undefined) continue
      if (seen[key].has(given[key])) report(memberOrSelf(at, key), 'conflict', 'is here already')
      seen[key].add(given[key])
    }
    return given
  })(place)
}

/** What is known about people. */
export const userProfile: Decode<Profile> = sectionOf<Profile>(defaults, {
  standard_attributes: sectionOf<Profile['standard_attributes']>(
    defaults.standard_attributes,
    {
      population: sectionOf(defaults.standard_attributes.population, {
        strategy: oneOf('none', 'on_signup'),
      }),
    },
    { ignored: ignoring('access_control') },
  ),
  custom_attributes: sectionOf(defaults.custom_attributes, { attributes }),
})
