import { type Running, repeat, stoppedOnce } from '../../async/running.ts'
import { heartbeatIntervalMs, heartbeatLifeMs, peerCollection } from '../cluster/peer.ts'
import type { AlertsContext } from '../context.ts'

/**
 * Makes this process a peer in the cluster of processes that share its storage, until it is stopped: renews its heartbeat, by
 * which the others list it, and follows theirs. Logs the first of a series of failures and its end; retries at the next renewal.
 * Does nothing without the option `cluster`.
 *
 * Stopping removes the heartbeat. If that fails, the failure is logged and the heartbeat expires by itself.
 *
 * @see Alertmanager API v2, `clusterStatus`
 */
export function startHeartbeat(alerts: AlertsContext): Running {
  const { storage, clock, logger, peers } = alerts
  const self = alerts.options.cluster
  if (peers === undefined || self === undefined) return { stop: async () => {} }
  let isFailing = false

  const renew = async (): Promise<void> => {
    const expiresAt = clock.now() + heartbeatLifeMs
    await storage.commit([peerCollection.write(peers.id, self, { expiresAt })])
    await peers.refresh()
  }

  const beats = repeat({ clock, intervalMs: heartbeatIntervalMs }, async () => {
    try {
      await renew()
      if (isFailing) logger.info({}, 'the heartbeat is renewed again')
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn({ error: String(error) }, 'the heartbeat could not be renewed')
      isFailing = true
    }
  })

  return stoppedOnce(async () => {
    await beats.stop()
    try {
      await storage.commit([peerCollection.remove(peers.id)])
    } catch (error) {
      logger.warn({ error: String(error) }, 'the heartbeat could not be removed')
    }
  })
}
