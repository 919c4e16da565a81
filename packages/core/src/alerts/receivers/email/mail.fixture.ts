import type { Ids } from '../../../crypto/ids.ts'
import { createManualClock, type ManualClock } from '../../../testing/index.ts'
import { configured } from '../configured.fixture.ts'
import { renderedNotification, testPorts } from '../delivery.fixture.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import type { NotifierPorts, NotifyResult } from '../notifier.ts'
import { email } from './notifier.ts'

/** In November 2026. */
export const clock: ManualClock = createManualClock(Date.UTC(2026, 10, 21, 1, 2, 3))
/** The same id each time. */
export const ids: Ids = { random: () => '01234567-89ab-4def-8123-456789abcdef', ordered: () => '' }
/** The boundary that results from {@link ids}. */
export const boundary = '0123456789ab4def8123456789abcdef'

/** Overrides of the defaults. */
export interface Given {
  readonly notification?: SampleOptions
  readonly ports?: Partial<NotifierPorts>
  readonly signal?: AbortSignal
}

/** Sends one email about the alerts of the recorded emails. */
export function notifyByMail(
  port: number,
  settings: object,
  given: Given = {},
): Promise<NotifyResult> {
  const { notification, ports, signal = new AbortController().signal } = given
  const integration = configured('email', {
    smarthost: `127.0.0.1:${port}`,
    to: 'a@example.org',
    from: 'am@example.org',
    require_tls: false,
    html: '',
    text: 'plain',
    ...settings,
  })
  const notifier = email.create(integration, testPorts({ clock, ids, ...ports }))
  return notifier.notify(renderedNotification(notification), signal)
}
