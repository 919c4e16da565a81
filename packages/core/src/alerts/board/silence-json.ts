import { encodeListItem, goJsonString } from '@gatehouse/go-template/json'
import type { Instant } from '../../time/clock.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import { type GettableSilence, silenceState, toGettableSilence } from '../silence/silence.ts'
import type { SilenceEntry } from './alert-entry.ts'
import { labelsJson } from './alert-json.ts'

/** The silence as an item of a list. Rendered and encoded once per version and state. */
export function silenceItem(entry: SilenceEntry, now: Instant): Uint8Array {
  const state = silenceState(entry, now)
  if (entry.rendered?.state !== state) {
    const json = silenceJson(toGettableSilence(entry.id, entry.silence, now))
    entry.rendered = { state, item: encodeListItem(json) }
  }
  return entry.rendered.item
}

/** A silence as JSON, with its members in the order of the API. */
export function silenceJson(silence: GettableSilence): string {
  const matchers = silence.matchers.map(
    ({ isEqual, isRegex, name, value }) =>
      `{"isEqual":${isEqual},"isRegex":${isRegex},"name":${goJsonString(name)},"value":${goJsonString(value)}}`,
  )
  return [
    `{"id":${goJsonString(silence.id)},"status":{"state":"${silence.status.state}"},"updatedAt":"`,
    silence.updatedAt,
    silence.annotations === undefined
      ? '"'
      : `","annotations":${labelsJson(labelSetFromObject(silence.annotations))}`,
    `,"comment":${goJsonString(silence.comment)},"createdBy":${goJsonString(silence.createdBy)}`,
    `,"endsAt":"${silence.endsAt}","matchers":[${matchers.join(',')}]`,
    `,"startsAt":"${silence.startsAt}"`,
    silence.untilResolved === true ? ',"untilResolved":true' : '',
    silence.remindBeforeMs === undefined ? '' : `,"remindBeforeMs":${silence.remindBeforeMs}`,
    '}',
  ].join('')
}
