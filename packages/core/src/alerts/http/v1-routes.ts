import { goJson } from '@gatehouse/go-template/json'
import { type Answer, textAnswer } from '../../http/answer.ts'
import type { FramedRow } from './frame/framed-row.ts'

const paths = ['status', 'receivers', 'alerts', 'silences', 'silence/*']

const farewell = goJson({
  status: 'deprecated',
  error:
    'The Alertmanager v1 API was deprecated in version 0.16.0 and is removed as of version 0.27.0 - please use the equivalent route in the v2 API',
})

const headers = {
  'content-type': 'application/json',
  'access-control-allow-headers': 'Accept, Authorization, Content-Type, Origin',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-origin': '*',
  'cache-control': 'no-cache, no-store, must-revalidate',
}

/** Rows of the removed v1 API: every request gets a 410. */
export function v1Rows(basePath: string): FramedRow[] {
  const answer = async (): Promise<Answer> => textAnswer(410, farewell, headers)
  return paths.map((path) => ({
    method: '*',
    path: `${basePath}/api/v1/${path}`,
    handler: '/api/v1/',
    kind: 'plain',
    action: 'public',
    answer,
  }))
}
