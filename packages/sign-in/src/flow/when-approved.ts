import { type FlowAt, isClientError } from '@gatehouse/client'

/** Waits until the link of a step is opened, on any device, and then goes on. Returns what ends the wait. */
export function whenApproved(
  flow: FlowAt<'verify_oob_otp_data'>,
  goOn: () => Promise<void>,
): () => void {
  const waiting = new AbortController()
  const wait = async (): Promise<void> => {
    // Not every server opens WebSockets, and browsers complain of one that is refused.
    await flow.approved({ via: 'events', signal: waiting.signal })
    await goOn()
  }
  // A lost connection is no reason to give up: the network, or the tab, comes back.
  const begin = (): void => {
    wait().catch((failure: unknown) => {
      if (waiting.signal.aborted) return
      // No link can be opened for a flow that is over: what goes on finds that out.
      if (isClientError(failure, 'AuthenticationFlowNotFound')) void goOn()
      else setTimeout(begin, 3_000)
    })
  }
  begin()
  return () => waiting.abort()
}
