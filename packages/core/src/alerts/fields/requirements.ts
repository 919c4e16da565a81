import type { Report } from '@gatehouse/go-template/yaml'

type Value = object | string | number | bigint | boolean | undefined

/** Whether a value is configured: present and not empty, zero or false. */
export function isSet(value: Value): boolean {
  if (typeof value !== 'object') return Boolean(value)
  if (value instanceof Map) return value.size > 0
  return !Array.isArray(value) || value.length > 0
}

/** Reports mutually exclusive values. `names` are shown in the message. */
export function atMostOne(
  report: Report,
  values: readonly Value[],
  names: string,
  key?: string,
): void {
  if (values.filter(isSet).length > 1) report(`at most one of ${names} must be configured`, key)
}

/** Reports an error unless exactly one of a value and its file is configured. */
export function exactlyOne(report: Report, name: string, value: Value, file: Value): void {
  if (!isSet(value) && !isSet(file)) report(`one of ${name} or ${name}_file must be configured`)
  valueOrFile(report, name, value, file)
}

/** Reports an error if both a value and its file are configured. */
export function valueOrFile(report: Report, name: string, value: Value, file: Value): void {
  atMostOne(report, [value, file], `${name} & ${name}_file`, `${name}_file`)
}
