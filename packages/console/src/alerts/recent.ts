/** An alert that began within this time is new, as in the summary of the server. */
const recentMs = 15 * 60_000

/** Whether an alert is new. */
export const isRecent = (startsAt: string, now: number): boolean =>
  now - Date.parse(startsAt) < recentMs
