import type { Run } from '@gatehouse/client'
import { type ReactNode, useEffect, useState } from 'react'
import { runDuration } from '../../runs/run-durations.ts'
import { isOpen } from '../../runs/run-states.ts'
import { shortDuration } from '../../time/durations.ts'

/** How long a run took, or takes so far. */
export function RunDuration({ run }: { run: Run }): ReactNode {
  if (run.duration_ms !== null) return runDuration(run.duration_ms)
  if (run.status !== 'running' || run.started_at === null) return '–'
  return <Elapsed since={run.started_at} />
}

/** How long a run waited for its place, or waits so far. */
export function Waited({ run }: { run: Run }): ReactNode {
  if (run.status === 'queued') return <Elapsed since={run.created_at} />
  return isOpen(run) || run.started_at !== null ? runDuration(run.queued_ms) : '–'
}

/** The time since an instant, renewed every second. */
function Elapsed({ since }: { since: string }): ReactNode {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return `${shortDuration(now - Date.parse(since))}…`
}
