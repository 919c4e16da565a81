import {
  anyScalarText,
  type ConfigKind,
  hideSource,
  isNull,
  reportReferences,
} from '@gatehouse/go-template/yaml'
import { Secret, secretMask } from '../../crypto/secret.ts'

/** A secret text. Empty means unset. */
export const secret: ConfigKind<Secret | undefined> = {
  typeName: 'config.plain',
  zero: undefined,
  isOptional: true,
  decode(place) {
    const value = isNull(place.node) ? '' : (anyScalarText(place, 'config.plain') ?? '')
    if (value === '') return undefined
    hideSource(place, secretMask)
    const expanded = place.decoding.expand?.(value)
    if (expanded === undefined) return new Secret(value)
    if ('value' in expanded) return new Secret(expanded.value)
    return reportReferences(place, expanded) ? undefined : new Secret(secretMask)
  },
  encode: (value) => value?.toString(),
}

/** A secret in a list. It may be empty. */
export const secretItem: ConfigKind<Secret> = {
  typeName: secret.typeName,
  zero: new Secret(''),
  decode: (place) => secret.decode(place) ?? new Secret(''),
  encode: (value) => value.toString(),
}
