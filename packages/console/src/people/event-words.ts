import type { EventWords } from '../texts/en-events.ts'

/** An event in words, such as `Email address added` for `identity.email.added`. One without words keeps its name. */
export function wordsOfEvent(type: string, { events, subjects, deeds }: EventWords): string {
  if (Object.hasOwn(events, type)) return events[type] ?? type
  const [service = '', thing = '', ...rest] = type.split('.')
  const subject = subjects[`${service}.${thing}`] ?? subjects[`${service}.*.${rest[0] ?? ''}`]
  const deed = deeds[type.slice(type.lastIndexOf('.') + 1)]
  return subject === undefined || deed === undefined ? type : `${subject} ${deed}`
}
