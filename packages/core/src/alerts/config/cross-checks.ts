import { goQuote } from '@gatehouse/go-template/text'
import type { Decoding, Report } from '@gatehouse/go-template/yaml'
import type { GlobalConfig } from '../fields/global.ts'
import { atMostOne, isSet, valueOrFile } from '../fields/requirements.ts'
import type { ReportAt } from '../receivers/inherit.ts'
import type { WrittenReceiver } from '../receivers/receiver.ts'
import type { WebhookRunIntegration } from '../receivers/webhook-run/config.ts'
import type { WrittenConfig } from './document.ts'
import type { WrittenRoute } from './route.ts'

/** Reports mutually exclusive values of the global block. */
export function checkGlobal(global: GlobalConfig, reportAt: ReportAt): void {
  const report: Report = (message, key) => reportAt(global, message, key)
  valueOrFile(report, 'slack_api_url', global.slack_api_url, global.slack_api_url_file)
  valueOrFile(report, 'slack_app_token', global.slack_app_token, global.slack_app_token_file)
  checkSlackApp(global, report)
  valueOrFile(report, 'opsgenie_api_key', global.opsgenie_api_key, global.opsgenie_api_key_file)
  valueOrFile(report, 'wechat_api_secret', global.wechat_api_secret, global.wechat_api_secret_file)
  valueOrFile(report, 'victorops_api_key', global.victorops_api_key, global.victorops_api_key_file)
  const { smtp_auth_password, smtp_auth_password_file } = global
  valueOrFile(report, 'smtp_auth_password', smtp_auth_password, smtp_auth_password_file)
  valueOrFile(report, 'smtp_auth_secret', global.smtp_auth_secret, global.smtp_auth_secret_file)
  const { telegram_bot_token, telegram_bot_token_file } = global
  valueOrFile(report, 'telegram_bot_token', telegram_bot_token, telegram_bot_token_file)
  valueOrFile(report, 'rocketchat_token', global.rocketchat_token, global.rocketchat_token_file)
  const { rocketchat_token_id, rocketchat_token_id_file } = global
  valueOrFile(report, 'rocketchat_token_id', rocketchat_token_id, rocketchat_token_id_file)
  const { mattermost_webhook_url, mattermost_webhook_url_file } = global
  valueOrFile(report, 'mattermost_webhook_url', mattermost_webhook_url, mattermost_webhook_url_file)
}

/** A token needs the URL of the app; another URL beside it is a contradiction. */
function checkSlackApp(global: GlobalConfig, report: Report): void {
  const hasToken = isSet(global.slack_app_token) || isSet(global.slack_app_token_file)
  const isAppUrl = global.slack_api_url?.reveal() === global.slack_app_url?.reveal()
  const hasOtherUrl =
    (global.slack_api_url !== undefined && !isAppUrl) || isSet(global.slack_api_url_file)
  const names = 'slack_app_token/slack_app_token_file & slack_api_url/slack_api_url_file'
  atMostOne(report, [hasToken, hasOtherUrl], names)
}

/** Reports keys that the root of the routing tree must not have. */
export function checkRoot(root: WrittenRoute, report: ReportAt): void {
  if (root.receiver === '') report(root, 'root route must specify a default receiver')
  if (isSet(root.match) || isSet(root.match_re) || isSet(root.matchers)) {
    report(root, 'root route must not have any matchers')
  }
  if (isSet(root.mute_time_intervals)) {
    const message = 'root route must not have any mute time intervals'
    report(root, message, 'mute_time_intervals')
  }
  if (isSet(root.active_time_intervals)) {
    const message = 'root route must not have any active time intervals'
    report(root, message, 'active_time_intervals')
  }
}

/** Reports webhooks that receivers may not run. */
export function checkWebhookRuns(
  { name, webhook_run_configs }: WrittenReceiver,
  problemOf: (webhook: string) => string | undefined,
  report: ReportAt,
): void {
  for (const element of webhook_run_configs) {
    const { webhook } = element as WebhookRunIntegration
    const problem = webhook === '' ? undefined : problemOf(webhook)
    if (problem === undefined) continue
    const message = `webhook ${goQuote(webhook)} of receiver ${goQuote(name)}: ${problem}`
    report(element, message, 'webhook')
  }
}

/** The parts of the document with their own problems: `global`, `route`, `receivers[N]`, and kinds of names. */
export function brokenParts({ checks, structure }: Decoding): ReadonlySet<string> {
  const parts = new Set<string>()
  for (const { path } of [...checks, ...structure]) {
    const part = /^(?:receivers\[\d+\]|\w+)/.exec(path)?.[0]
    if (part !== undefined) parts.add(part)
    if (path === 'route' || path === 'route.receiver') parts.add('root receiver')
    if (/^receivers(?:\[\d+\](?:\.name)?)?$/.test(path)) parts.add('receiver names')
    if (/^(?:mute_)?time_intervals(?:\[\d+\](?:\.name)?)?$/.test(path)) parts.add('interval names')
  }
  return parts
}

/** Reports a receiver whose name is among the earlier ones, and adds its name. */
export function checkReceiverName(
  receiver: WrittenReceiver,
  names: Set<string>,
  report: ReportAt,
): void {
  if (names.has(receiver.name) && receiver.name !== '') {
    report(receiver, `notification config name ${goQuote(receiver.name)} is not unique`, 'name')
  }
  names.add(receiver.name)
}

/** Reports undefined receivers in routes, children first. */
export function checkReceiversUsed(
  route: WrittenRoute,
  names: ReadonlySet<string>,
  report: ReportAt,
): void {
  for (const child of route.routes) checkReceiversUsed(child, names, report)
  if (route.receiver !== '' && !names.has(route.receiver)) {
    report(route, `undefined receiver ${goQuote(route.receiver)} used in route`, 'receiver')
  }
}

/** Reports time intervals with the same name; returns the names. */
export function checkIntervalNames(
  {
    mute_time_intervals,
    time_intervals,
  }: Pick<WrittenConfig, 'mute_time_intervals' | 'time_intervals'>,
  report: ReportAt,
): ReadonlySet<string> {
  const names = new Set<string>()
  for (const interval of mute_time_intervals) {
    if (names.has(interval.name)) {
      report(interval, `mute time interval ${goQuote(interval.name)} is not unique`, 'name')
    }
    names.add(interval.name)
  }
  for (const interval of time_intervals) {
    if (names.has(interval.name)) {
      report(interval, `time interval ${goQuote(interval.name)} is not unique`, 'name')
    }
    names.add(interval.name)
  }
  return names
}

/** Reports undefined time intervals in routes, children first. */
export function checkIntervalsUsed(
  route: WrittenRoute,
  names: ReadonlySet<string>,
  report: ReportAt,
): void {
  for (const child of route.routes) checkIntervalsUsed(child, names, report)
  for (const key of ['active_time_intervals', 'mute_time_intervals'] as const) {
    for (const name of route[key]) {
      if (names.has(name)) continue
      report(route, `undefined time interval ${goQuote(name)} used in route`, key)
    }
  }
}
