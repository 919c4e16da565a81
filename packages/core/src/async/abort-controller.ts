import { setMaxListeners } from 'node:events'

/** An `AbortController` for many listeners: Node.js warns of a leak when a signal has more than ten. */
export function createAbortController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
