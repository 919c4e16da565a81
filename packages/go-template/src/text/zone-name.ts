/** Whether a text is the name of an IANA time zone. Plain offsets such as `+01:00` are not names. */
export function isZoneName(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
