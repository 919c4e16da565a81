/** The headers in a text with one in a line. A line without a colon is no header. */
export function headersOf(lines: string): Readonly<Record<string, string>> {
  const headers = new Map<string, string>()
  for (const line of lines.split('\n')) {
    const [, name, value = ''] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    // A later line replaces an earlier one, in any spelling.
    if (name !== undefined) headers.set(name.toLowerCase(), value)
  }
  return Object.fromEntries(headers)
}
