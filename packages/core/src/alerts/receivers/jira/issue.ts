import { RawJson } from '@gatehouse/go-template/json'
import { compareBytes, goQuote } from '@gatehouse/go-template/text'
import type { Notification } from '../../notification/notification.ts'
import { renderedValue } from '../../notification/rendered-value.ts'
import { unlessEmpty } from '../attempt/json-body.ts'
import { truncate } from '../attempt/truncate.ts'
import type { JiraIntegration } from './config.ts'

/** The most characters of a summary. */
const maxSummary = 255

/** The most characters of a description. */
const maxDescription = 32_767

/** Fields of an issue by name. Undefined fields are not written. */
export type JiraFields = Readonly<Record<string, unknown>>

/** The label that identifies the issue of a group. */
const groupLabel = ({ groupHash }: Notification): string => `ALERT{${groupHash}}`

/**
 * The fields of the issue for a notification.
 *
 * @param version of the API; from 3 on a description is a document.
 * @see Jira REST API, "Create issue"
 */
export function issueFields(
  integration: JiraIntegration,
  notification: Notification,
  version: number,
): JiraFields {
  const { project, issue_type, summary, description, labels, priority, fields } = integration
  const rendered = labels.map((label) => notification.text(label))
  const priorityName = unlessEmpty(notification.text(priority))
  const text = notification.text(description.template)
  return {
    project: { key: notification.text(project) },
    issuetype: { name: notification.text(issue_type) },
    summary: truncate(notification.text(summary.template), maxSummary),
    description: version < 3 ? truncate(text, maxDescription) : documentOf(text),
    labels: [...rendered, groupLabel(notification)].sort(compareBytes),
    ...(priorityName === undefined ? {} : { priority: { name: priorityName } }),
    ...renderedValue(fields, (template) => notification.text(template)),
  }
}

/** The fields that are updated in an existing issue. */
export function changedFields(fields: JiraFields, integration: JiraIntegration): JiraFields {
  const { summary, description } = integration
  return {
    ...fields,
    ...(summary.enable_update ? {} : { summary: undefined }),
    ...(description.enable_update ? {} : { description: undefined }),
  }
}

/**
 * Converts a text to a document: the text itself if it is JSON of a document, otherwise one paragraph per line. @see Atlassian
 * Document Format
 */
function documentOf(text: string): object {
  if (isJsonOfObject(text)) return new RawJson(text.trim())
  const content = truncate(text, maxDescription)
    .split('\n')
    .map((line) => {
      return { type: 'paragraph', content: line === '' ? [] : [{ type: 'text', text: line }] }
    })
  return { type: 'doc', version: 1, content }
}

function isJsonOfObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** The query that finds the issue of a group: an open one, or one that may be reopened. */
export function issueQuery(integration: JiraIntegration, notification: Notification): string {
  const { wont_fix_resolution, reopen_transition, reopen_duration, project } = integration
  const wontFix = `(resolution is EMPTY or resolution != ${goQuote(wont_fix_resolution)}) and `
  const minutes = Math.trunc(reopen_duration / 60_000)
  const recently = `(resolutiondate is EMPTY OR resolutiondate >= -${minutes}m) and `
  const canReopen = notification.status === 'firing' && reopen_transition !== ''
  return [
    wont_fix_resolution === '' ? '' : wontFix,
    canReopen ? (minutes === 0 ? '' : recently) : 'statusCategory != Done and ',
    `project=${goQuote(notification.text(project))} and labels=${goQuote(groupLabel(notification))}`,
    ' order by status ASC,resolutiondate DESC',
  ].join('')
}
