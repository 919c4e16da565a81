import { useMemo } from 'react'
import { remember, useRemembered } from '../browser/remembered.ts'

/** The zone in which times are shown and read: that of the browser, or UTC. */
export type Zone = 'local' | 'utc'

/** How this browser shows times. */
interface TimeChoice {
  readonly zone: Zone
  /** Whether times of day have seconds. */
  readonly hasSeconds: boolean
}

/** How times are written and read: as the user chose, in the language of the page. */
export interface TimeStyle extends TimeChoice {
  readonly language: string
}

const keys = { zone: 'gatehouse-time-zone', seconds: 'gatehouse-seconds' } as const

/** Chooses how times are shown, in all windows of this browser. */
export function chooseTimes({ zone, hasSeconds }: TimeChoice): void {
  remember(keys.zone, zone)
  remember(keys.seconds, String(hasSeconds))
}

/** What was chosen in this browser. */
export function useTimeChoice(): TimeChoice {
  const zone = useRemembered(keys.zone) === 'utc' ? 'utc' : 'local'
  const hasSeconds = useRemembered(keys.seconds) === 'true'
  return useMemo(() => ({ zone, hasSeconds }), [zone, hasSeconds])
}
