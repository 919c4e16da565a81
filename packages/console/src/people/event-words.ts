/** Words for events of the audit log: of whole names, else of their parts. */
export interface EventWords {
  /** By the name of the event. */
  readonly events: Readonly<Record<string, string>>
  /** By the first two parts of the name, such as `identity.email`. */
  readonly subjects: Readonly<Record<string, string>>
  /** What happened to the subject, by the last part of the name. */
  readonly deeds: Readonly<Record<string, string>>
}

/** An event in words, such as `Email address added` for `identity.email.added`. One without words keeps its name. */
export function wordsOfEvent(type: string, { events, subjects, deeds }: EventWords): string {
  if (Object.hasOwn(events, type)) return events[type] ?? type
  const [service = '', thing = '', ...rest] = type.split('.')
  const subject = subjects[`${service}.${thing}`] ?? subjects[`${service}.*.${rest[0] ?? ''}`]
  const deed = deeds[type.slice(type.lastIndexOf('.') + 1)]
  return subject === undefined || deed === undefined ? type : `${subject} ${deed}`
}
