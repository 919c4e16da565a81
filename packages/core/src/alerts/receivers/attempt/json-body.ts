import { goJson } from '@gatehouse/go-template/json'

/** The body of a request: a value as one line of JSON. @see https://pkg.go.dev/encoding/json#Encoder.Encode */
export const jsonBody = (value: object): string => `${goJson(value)}\n`

/** A text or a list, or `undefined` if it is empty: such a member is left out of JSON. */
export const unlessEmpty = <T extends string | readonly unknown[]>(value: T): T | undefined =>
  value.length === 0 ? undefined : value
