import { formatMatcher, readMatchers } from '@gatehouse/client'

/** A filter and one more matcher. One that says the same or the opposite of the label's value is replaced. */
export function addMatcher(filter: string, name: string, value: string, isEqual = true): string {
  const added = formatMatcher({ name, value, isRegex: false, isEqual })
  const given = readMatchers(filter).matchers ?? []
  const rest = given.filter((one) => one.isRegex || one.name !== name || one.value !== value)
  if (rest.length < given.length) return [...rest.map(formatMatcher), added].join(', ')
  return filter.trim() === '' ? added : `${filter.replace(/^\s*\{|[\s,}]+$/g, '')}, ${added}`
}
