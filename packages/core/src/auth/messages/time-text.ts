import type { Instant } from '../../time/clock.ts'

/** As `4 March 2026 at 10:00 UTC`, in the words of a language: where its reader is, is not known. */
export function timeText(at: Instant, language: string): string {
  const [known = 'en'] = Intl.DateTimeFormat.supportedLocalesOf([language, 'en'])
  const format = new Intl.DateTimeFormat(known === 'en' ? 'en-GB' : known, {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC',
  })
  return `${format.format(at)} UTC`
}
