import { createServer } from 'node:net'

/**
 * A port of 127.0.0.1 that nothing listens on right now. For programs that must know their port in advance; everything else
 * listens on port 0.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('the probe has no port'))
      })
    })
  })
}
