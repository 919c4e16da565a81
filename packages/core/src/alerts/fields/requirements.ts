import type { Report } from '../../go/yaml/block.ts'

type Value = object | string | number | boolean | undefined

/** Whether a value is configured: neither absent nor empty, zero or false. */
export function isSet(value: Value): boolean {
  if (typeof value !== 'object') return Boolean(value)
  if (value instanceof Map) return value.size > 0
  return !Array.isArray(value) || value.length > 0
}

/** Reports values that exclude each other. `names` are as the message shows them. */
export function atMostOne(
  report: Report,
  values: readonly Value[],
  names: string,
  key?: string,
): void {
  if (values.filter(isSet).length > 1) report(`at most one of ${names} must be configured`, key)
}

/** Reports that neither a value nor its file is configured, or both are. */
export function exactlyOne(report: Report, name: string, value: Value, file: Value): void {
  if (!isSet(value) && !isSet(file)) report(`one of ${name} or ${name}_file must be configured`)
  valueOrFile(report, name, value, file)
}

/** Reports that both a value and its file are configured. */
export function valueOrFile(report: Report, name: string, value: Value, file: Value): void {
  atMostOne(report, [value, file], `${name} & ${name}_file`, `${name}_file`)
}
