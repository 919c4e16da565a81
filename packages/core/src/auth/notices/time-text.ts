import type { Instant } from '../../time/clock.ts'

/** As `2026-03-04 10:00 UTC`: where its reader is, is not known. */
export const timeText = (at: Instant): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
