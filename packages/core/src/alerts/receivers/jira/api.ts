import { parseGoUrl } from '@gatehouse/go-template/text'
import { apiUrl } from '../attempt/api-url.ts'
import type { JiraIntegration } from './config.ts'

/** The URLs of a Jira API. */
export interface JiraApi {
  /** The version for operations on issues. */
  readonly version: 2 | 3
  readonly searchUrl: string
  readonly issuesUrl: string
  issueUrl(key: string): string
  transitionsUrl(key: string): string
}

/** The API of a Jira. Jira Cloud searches issues only with version 3. @see Jira REST API, "Version" */
export function jiraApi({ api_url, api_type }: JiraIntegration): JiraApi {
  const urlOf = (path: string): string => apiUrl(api_url, { path })
  const { host, path } = parseGoUrl(api_url?.reveal() ?? '')
  const isAtlassian = /(^|\.)atlassian\.net(:\d+)?$/i.test(host)
  const isCloud = api_type === 'cloud' || (api_type === 'auto' && isAtlassian)
  return {
    version: /\/3\/?$/.test(path) ? 3 : 2,
    searchUrl: isCloud
      ? urlOf('search/jql').replace(/\/rest\/api\/2(?=\/search\/jql)/, '/rest/api/3')
      : urlOf('search'),
    issuesUrl: urlOf('issue'),
    issueUrl: (key) => urlOf(`issue/${key}`),
    transitionsUrl: (key) => urlOf(`issue/${key}/transitions`),
  }
}
