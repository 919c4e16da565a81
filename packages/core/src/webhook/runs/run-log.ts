import type { Logger } from '../../logger.ts'
import { logText } from '../log-text.ts'
import type { Run } from '../run.ts'

/** Logs the end of a run in one line. */
export function logRunEnd(logger: Logger, run: Run): void {
  const {
    id: run_id,
    request_id,
    webhook_id: id,
    client_ip,
    status,
    reason,
    exit_code,
    signal,
  } = run
  const { attempts, duration_ms, queued_ms } = run
  const fields = {
    run_id,
    request_id: request_id === null ? null : logText(request_id),
    webhook: id,
    client: client_ip === null ? null : logText(client_ip),
    state: status,
    reason,
    exit_code,
    signal,
    attempts,
    duration_ms,
    queued_ms,
  }
  logger.info(fields, 'run ended')
}
