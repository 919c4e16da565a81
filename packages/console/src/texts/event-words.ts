import { eventWords as de } from './de-events.ts'
import { type EventWords, eventWords as en } from './en-events.ts'
import type { Language } from './texts.ts'

/** Words for events of the audit log, which only the page of people needs. */
export const eventWords: Readonly<Record<Language, EventWords>> = { en, de }
