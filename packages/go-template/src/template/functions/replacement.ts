/** The parts of a replacement: texts, and group numbers. */
export type Replacement = readonly (string | number)[]

const reference = /\$(?:(\$)|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu

/**
 * Parses a replacement: `$1`, `${1}`, `$name` and `${name}` stand for groups, `$$` for a dollar sign. A name is as long as
 * possible: `$1x` is the group `1x`. An unknown group stands for nothing.
 *
 * @see https://pkg.go.dev/regexp#Regexp.Expand
 */
export function parseReplacement(
  template: string,
  names: Readonly<Record<string, number>>,
  groups: number,
): Replacement {
  const parts: (string | number)[] = []
  let at = 0
  for (const found of template.matchAll(reference)) {
    parts.push(template.slice(at, found.index))
    at = found.index + found[0].length
    const [, dollar, braced, bare] = found
    if (dollar !== undefined) parts.push('$')
    const group = numberOf(braced ?? bare ?? '', names)
    if (group !== undefined && group <= groups) parts.push(group)
  }
  parts.push(template.slice(at))
  return parts.filter((part) => part !== '')
}

function numberOf(name: string, names: Readonly<Record<string, number>>): number | undefined {
  if (/^(?:0|[1-9]\d{0,7})$/.test(name)) return Number(name)
  return Object.hasOwn(names, name) ? names[name] : undefined
}
