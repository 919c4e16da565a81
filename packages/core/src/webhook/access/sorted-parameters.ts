/** The most parameters of a signed form. */
const maxParameters = 1_000

/**
 * The names and values of a form, one after the other, sorted by name; those of the same name by value, each once. `undefined` if
 * there are too many.
 *
 * @see https://www.twilio.com/docs/usage/security#validating-requests
 */
export function sortedParameters(body: Uint8Array): string | undefined {
  const pairs = new Set<string>()
  const parameters = [...new URLSearchParams(Buffer.from(body).toString())]
  if (parameters.length > maxParameters) return undefined
  const sorted = parameters.sort(([a, one], [b, other]) => compare(a, b) || compare(one, other))
  for (const [name, value] of sorted) pairs.add(JSON.stringify([name, value]))
  return [...pairs].map((pair) => (JSON.parse(pair) as string[]).join('')).join('')
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
