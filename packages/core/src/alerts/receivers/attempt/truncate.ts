/** A text of at most `limit` characters (code points), of which the last is `…` if it was cut. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text
  const characters = Array.from(text)
  if (characters.length <= limit) return text
  return `${characters.slice(0, limit - 1).join('')}…`
}
