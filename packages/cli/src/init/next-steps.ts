import { join } from 'node:path'
import { isLocal, placeUrl } from '../server/listen-address.ts'
import type { Answers } from './answers.ts'

/** The next steps after writing a configuration, as lines for a terminal. */
export function nextSteps(answers: Answers, folder: string): readonly string[] {
  const { listen, receiver, webhook, signIn } = answers
  const isOpen = !isLocal(listen)
  const url = placeUrl(isOpen ? { host: 'localhost', port: listen.port } : listen, false)
  const inFolder = (path: string): string => quoted(join(folder, path))
  const json = "-H 'Content-Type: application/json'"
  return [
    'Start it:',
    '',
    `  gatehouse api --config ${inFolder('config.yaml')}`,
    '',
    receiver || webhook
      ? `Then open ${url}/ in a browser, or try:`
      : `Then try it; ${url}/ describes the API:`,
    ...(receiver
      ? [
          '',
          `  curl ${url}/api/v2/alerts ${json} -d '[{"labels": {"alertname": "Test"}}]'`,
          `  gatehouse explain alertname=Test --url ${url}`,
        ]
      : []),
    ...(webhook
      ? [
          '',
          `  curl -X POST ${url}/webhook/${webhook.id} -H "Authorization: Bearer $(cat ${inFolder(`secrets/${webhook.id}-token`)})"`,
        ]
      : []),
    ...(signIn
      ? [
          '',
          `  curl ${url}/api/v1/authentication_flows ${json} -d '{"type": "signup", "name": "default"}'`,
        ]
      : []),
    '',
    ...(receiver
      ? [
          'Prometheus sends its alerts here with this in prometheus.yml:',
          '',
          `  alerting: { alertmanagers: [{ static_configs: [{ targets: ['${new URL(url).host}'] }] }] }`,
          '',
        ]
      : []),
    ...(receiver?.kind === 'none'
      ? ['No receiver is notified yet: add an integration to the receiver in alertmanager.yml.']
      : []),
    ...(isOpen && receiver
      ? [
          'Any client that reaches this machine may do everything there: add the section access first,',
          'see https://github.com/gatehouse/gatehouse/blob/main/docs/authorization.md',
        ]
      : []),
  ]
}

/** A path as a word of a shell. */
const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
