import { queryNumber } from '../../input/query-number.ts'
import type { UnacknowledgeRequest } from '../alert/acknowledgement-input.ts'
import type { AcknowledgementsQuery } from '../alerts/list-acknowledgements.ts'
import type { AlertGroupsQuery } from '../alerts/list-alert-groups.ts'
import type { AlertsQuery } from '../board/alert-query.ts'
import type { ReceiversQuery } from '../running-config/list-receivers.ts'
import type { SilencesQuery } from '../silences/list-silences.ts'

const trueTexts: ReadonlySet<string> = new Set([
  'true',
  '1',
  'yes',
  'ok',
  'y',
  'on',
  'selected',
  'checked',
  't',
  'enabled',
])

/** Parses a boolean: the last value counts, an empty or missing one means true, an unknown word false. */
function flag(parameters: URLSearchParams, name: string): boolean {
  const text = parameters.getAll(name).at(-1) ?? ''
  return text === '' || trueTexts.has(text.toLowerCase())
}

function receiverOf(parameters: URLSearchParams): { receiver?: string } {
  const receiver = parameters.getAll('receiver').at(-1)
  return receiver === undefined ? {} : { receiver }
}

/** Parses the query of `GET /alerts`. Unknown parameters are ignored. */
export function readAlertsParameters(query: string): AlertsQuery {
  const parameters = new URLSearchParams(query)
  return {
    filter: parameters.getAll('filter'),
    receiverMatchers: parameters.getAll('receiver_matchers'),
    ...receiverOf(parameters),
    active: flag(parameters, 'active'),
    silenced: flag(parameters, 'silenced'),
    inhibited: flag(parameters, 'inhibited'),
  }
}

/** Parses the query of `GET /alerts/groups`. */
export function readAlertGroupsParameters(query: string): AlertGroupsQuery {
  return { ...readAlertsParameters(query), muted: flag(new URLSearchParams(query), 'muted') }
}

/** Parses the query of `GET /silences`. */
export function readSilencesParameters(query: string): SilencesQuery {
  const parameters = new URLSearchParams(query)
  return {
    filter: parameters.getAll('filter'),
    active: flag(parameters, 'active'),
    pending: flag(parameters, 'pending'),
    expired: flag(parameters, 'expired'),
  }
}

/** Parses the query of `GET /receivers`. */
export function readReceiversParameters(query: string): ReceiversQuery {
  return { receiverMatchers: new URLSearchParams(query).getAll('receiver_matchers') }
}

/** The last values of these parameters, without those that are missing or empty. */
export function texts<N extends string>(
  parameters: URLSearchParams,
  names: readonly N[],
): { [K in N]?: string } {
  const given: { [K in N]?: string } = {}
  for (const name of names) {
    const text = parameters.getAll(name).at(-1)
    if (text) given[name] = text
  }
  return given
}

/** Parses the query of `GET /acknowledgements`. Unknown parameters are ignored. */
export function readAcknowledgementsParameters(query: string): AcknowledgementsQuery {
  const parameters = new URLSearchParams(query)
  const { limit, after } = texts(parameters, ['limit', 'after'])
  return {
    filter: parameters.getAll('filter'),
    ...(limit === undefined ? {} : { limit: queryNumber(limit) }),
    ...(after === undefined ? {} : { after }),
  }
}

/** Parses the query of `DELETE /acknowledgements`. */
export function readUnacknowledgeParameters(query: string): UnacknowledgeRequest {
  return texts(new URLSearchParams(query), ['fingerprint', 'groupKey', 'receiver', 'by'])
}
