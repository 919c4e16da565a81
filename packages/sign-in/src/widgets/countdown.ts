import { useEffect, useState } from 'preact/hooks'

/** Seconds until an instant, as the clock of this device says; 0 once it is there. */
export function useCountdown(until: string): number {
  const end = Date.parse(until)
  const [now, setNow] = useState(Date.now())
  const left = Number.isNaN(end) ? 0 : Math.max(0, Math.ceil((end - now) / 1_000))
  useEffect(() => {
    setNow(Date.now())
    if (Number.isNaN(end)) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [end])
  return left
}
