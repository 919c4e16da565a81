const day = 86_400_000

/** An instant in as few words as it needs: `16:44` on the same day, `Tue 16:44` within six days, else with its date. */
export function shortMoment(at: number, now: number, language: string): string {
  const date = new Date(at)
  const time = { timeStyle: 'short' } as const
  if (date.toDateString() === new Date(now).toDateString()) {
    return new Intl.DateTimeFormat(language, time).format(date)
  }
  const isNear = Math.abs(at - now) < 6 * day
  const near = { weekday: 'short', hour: 'numeric', minute: '2-digit' } as const
  const options = isNear ? near : ({ dateStyle: 'medium', ...time } as const)
  return new Intl.DateTimeFormat(language, options).format(date)
}
