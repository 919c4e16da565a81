import type { OutgoingAnswer } from '../../../http-client/send-request.ts'
import type { Notification } from '../../notification/notification.ts'
import { jsonBody } from '../attempt/json-body.ts'
import { type Failure, refusal, requestAnswer } from '../attempt/request-answer.ts'
import type { ReceiverKind } from '../kind.ts'
import type { NotifierPorts, NotifyResult } from '../notifier.ts'
import { type FoundIssue, firstIssue, transitionId } from './answer.ts'
import { type JiraApi, jiraApi } from './api.ts'
import { type JiraIntegration, jiraConfig } from './config.ts'
import { changedFields, issueFields, issueQuery } from './issue.ts'
import type { AlertmanagerJiraConfig } from './written.ts'

/**
 * Keeps one issue in Jira for each alert group: creates it when the group starts firing, updates it with every notification, and
 * runs the configured transitions when the group is resolved and when it fires again.
 *
 * @see Jira REST API, "Issues", "Issue search"
 */
export const jira: ReceiverKind<JiraIntegration, AlertmanagerJiraConfig> = {
  ...jiraConfig,
  create: (integration, ports) => ({
    name: 'jira',
    async notify(notification, signal) {
      const api = jiraApi(integration)
      const fields = issueFields(integration, notification, api.version)
      const search = {
        fields: ['status'],
        jql: issueQuery(integration, notification),
        maxResults: 2,
      }
      const call = callsOf(integration, ports, signal)
      const found = await call('look up existing issues', 'POST', api.searchUrl, search)
      if ('failure' in found) return found.failure
      const issue = firstIssue(found.answer)
      if (issue === 'unreadable') {
        const detail = 'failed to look up existing issues: cannot read the response'
        return { outcome: 'retry', reason: 'other', detail }
      }
      if (issue === undefined) {
        if (notification.status === 'resolved') return { outcome: 'sent' }
        const created = await call('create an issue', 'POST', api.issuesUrl, { fields })
        return 'failure' in created ? created.failure : { outcome: 'sent' }
      }
      const change = { fields: changedFields(fields, integration) }
      const changed = await call(
        `change issue ${issue.key}`,
        'PUT',
        api.issueUrl(issue.key),
        change,
      )
      if ('failure' in changed) return changed.failure
      const transition = transitionFor(issue, integration, notification)
      return transition === '' ? { outcome: 'sent' } : lead(issue, transition, { api, call })
    },
  }),
}

/** Calls an operation. `doing` names it in error messages. */
type Call = (
  doing: string,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  value?: object,
) => Promise<{ readonly answer: OutgoingAnswer } | { readonly failure: Failure }>

function callsOf(
  { http_config: http }: JiraIntegration,
  ports: NotifierPorts,
  signal: AbortSignal,
): Call {
  const headers = { 'accept-language': 'en', 'content-type': 'application/json' }
  return async (doing, method, url, value) => {
    const body = value === undefined ? {} : { body: jsonBody(value) }
    const request = { method, url, headers, ...body }
    const result = await requestAnswer(ports, request, { http, signal, retryOn: [429] })
    if ('answer' in result) return result
    return {
      failure: { ...result.failure, detail: `failed to ${doing}: ${result.failure.detail}` },
    }
  }
}

/** The name of the required transition; empty if none is required or configured. */
function transitionFor(
  { isDone }: FoundIssue,
  { reopen_transition, resolve_transition }: JiraIntegration,
  { status }: Notification,
): string {
  if (isDone === undefined) return ''
  if (status === 'firing') return isDone ? reopen_transition : ''
  return isDone ? '' : resolve_transition
}

/** Runs a transition of an issue. */
async function lead(
  { key }: FoundIssue,
  name: string,
  { api, call }: { readonly api: JiraApi; readonly call: Call },
): Promise<NotifyResult> {
  const url = api.transitionsUrl(key)
  const offered = await call(`list the transitions of issue ${key}`, 'GET', url)
  if ('failure' in offered) return offered.failure
  const id = transitionId(offered.answer, name)
  if (id === undefined) return refusal(`can't find transition ${name} for issue ${key}`)
  const led = await call(`transition issue ${key}`, 'POST', url, { transition: { id } })
  return 'failure' in led ? led.failure : { outcome: 'sent' }
}
