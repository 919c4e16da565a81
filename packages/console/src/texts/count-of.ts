/** A number with its noun, in a language. */
export function countOf(language: string): (n: number, one: string, many: string) => string {
  const count = new Intl.NumberFormat(language)
  return (n, one, many) => `${count.format(n)} ${n === 1 ? one : many}`
}
