import * as z from 'zod/mini'
import {
  type ApiSchema,
  type ApiShape,
  described,
  namedObject,
  text,
} from '../../http/api/schema.ts'
import { alertEventKind, changeTopic, notificationOutcome, silenceEventKind } from './schemas.ts'

const texts = z.array(text)
const flag = (description: string): ApiSchema =>
  described(z._default(z.boolean(), true), description)

const filter = {
  filter: described(z.optional(texts), 'Matchers, as `severity="critical"`. All must match.'),
}
const ofReceivers = {
  receiver_matchers: described(z.optional(texts), 'Matchers for labels of receivers.'),
}
const ofAnyAlerts = {
  ...filter,
  receiver: described(z.optional(text), 'A regular expression for the whole name of a receiver.'),
  active: flag('Whether alerts that nothing suppresses are listed.'),
  silenced: flag('Whether silenced alerts are listed.'),
  inhibited: flag('Whether inhibited alerts are listed.'),
}
const ofAlerts = { ...ofAnyAlerts, ...ofReceivers }
const ofAlertsPage = { ...ofAnyAlerts, receiverMatchers: ofReceivers.receiver_matchers }

const ofSilences = {
  ...filter,
  active: flag('Whether active silences are listed.'),
  pending: flag('Whether pending silences are listed.'),
  expired: flag('Whether expired silences are listed.'),
}

const after = described(z.optional(text), 'The `next` of the page before.')
const ofPages = {
  limit: described(z.optional(z.int()), 'From 1 to 1,000 (default 100).'),
  after,
}

const ofHistory = {
  from: described(z.optional(text), 'Only events at this instant or later. RFC 3339.'),
  to: described(z.optional(text), 'Only events before this instant. RFC 3339.'),
  ...ofPages,
}

const ofPage = (sorts: string): ApiShape => ({
  sort: described(z.optional(text), `${sorts} Descending with \`-\` in front.`),
  ...ofPages,
  fields: described(z.optional(texts), 'Only these properties of each item.'),
})

export const receiversQuery: z.ZodMiniObject = namedObject(
  'ReceiversQuery',
  'Which receivers to list.',
  ofReceivers,
)

export const alertsQuery: z.ZodMiniObject = namedObject('AlertsQuery', 'Which alerts to list.', {
  ...ofAlerts,
  unprocessed: flag('Has no effect.'),
})

export const alertGroupsQuery: z.ZodMiniObject = namedObject(
  'AlertGroupsQuery',
  'Which groups and alerts to list.',
  {
    ...ofAlerts,
    muted: flag('Whether groups that a time interval mutes are listed.'),
  },
)

export const otherAlertGroupsQuery: z.ZodMiniObject = namedObject(
  'OtherAlertGroupsQuery',
  'Which alerts of another server to list.',
  {
    ...filter,
    active: ofAnyAlerts.active,
    silenced: ofAnyAlerts.silenced,
    inhibited: ofAnyAlerts.inhibited,
  },
)

export const silencesQuery: z.ZodMiniObject = namedObject(
  'SilencesQuery',
  'Which silences to list.',
  {
    ...ofSilences,
  },
)

export const notificationsQuery: z.ZodMiniObject = namedObject(
  'NotificationsQuery',
  'Which decisions to list.',
  {
    ...ofHistory,
    receiver: described(z.optional(text), 'The name of the receiver.'),
    groupKey: described(z.optional(text), 'Only of groups with this key.'),
    integration: described(z.optional(text), 'As `webhook/0`.'),
    fingerprint: described(z.optional(text), 'Only those about this alert, among others.'),
    filter: described(z.optional(texts), 'Matchers. The labels of the group must match all.'),
    outcome: described(z.optional(z.array(notificationOutcome)), 'Default: all.'),
  },
)

export const notificationCountsQuery: z.ZodMiniObject = namedObject(
  'NotificationCountsQuery',
  'Which notifications to count.',
  {
    from: described(z.optional(text), 'RFC 3339 (default: 24 hours before `to`).'),
    to: described(z.optional(text), 'RFC 3339 (default now).'),
    parts: described(
      z.optional(z.int()),
      'Into how many equal parts the time is divided, 1 to 200 (default 48).',
    ),
    receiver: described(z.optional(text), 'The name of the receiver.'),
    filter: described(z.optional(texts), 'Matchers. The labels of the group must match all.'),
  },
)

export const alertHistoryQuery: z.ZodMiniObject = namedObject(
  'AlertHistoryQuery',
  'Which events to list.',
  {
    ...ofHistory,
    ...filter,
    fingerprint: described(z.optional(text), 'Only events of this alert.'),
    event: described(z.optional(z.array(alertEventKind)), 'Default: all.'),
  },
)

export const silenceHistoryQuery: z.ZodMiniObject = namedObject(
  'SilenceHistoryQuery',
  'Which actions to list.',
  {
    ...ofHistory,
    silenceId: described(z.optional(text), 'Only events of this silence.'),
    filter: described(
      z.optional(texts),
      'Matchers. Only events of silences that match a firing alert which matches all of them; of more than 100 such alerts, one of the first 100.',
    ),
    event: described(z.optional(z.array(silenceEventKind)), 'Default: all.'),
  },
)

export const affectedAlertsQuery: z.ZodMiniObject = namedObject(
  'AffectedAlertsQuery',
  'Of which silence.',
  { silenceId: text },
)

export const acknowledgementsQuery: z.ZodMiniObject = namedObject(
  'AcknowledgementsQuery',
  'Which alerts to list.',
  {
    ...filter,
    limit: z.optional(z.int()),
    after,
  },
)

export const unacknowledgeQuery: z.ZodMiniObject = namedObject(
  'UnacknowledgeQuery',
  'Which acknowledgements to take back.',
  {
    fingerprint: described(z.optional(text), 'The alert.'),
    groupKey: described(z.optional(text), 'All firing alerts of a group, instead.'),
    receiver: described(z.optional(text), 'Only the group of this receiver.'),
    by: described(z.optional(text), 'The person, for the history.'),
  },
)

export const alertsPageQuery: z.ZodMiniObject = namedObject(
  'AlertsPageQuery',
  'Which alerts to list.',
  {
    ...ofAlertsPage,
    group: described(z.optional(text), 'Only alerts of the group with this id.'),
    ...ofPage(
      '`fingerprint` (default), `startsAt`, `endsAt`, `updatedAt`, `severity` or `labels.NAME`.',
    ),
  },
)

export const alertSummaryQuery: z.ZodMiniObject = namedObject(
  'AlertSummaryQuery',
  'Which alerts to count.',
  ofAlertsPage,
)

export const alertGroupsPageQuery: z.ZodMiniObject = namedObject(
  'AlertGroupsPageQuery',
  'Which groups to list: those with a matching alert.',
  {
    ...ofAlertsPage,
    muted: flag('Whether groups that a time interval mutes are listed.'),
    ...ofPage('`groupKey` (default), `receiver`, `startsAt`, `alerts` or `labels.NAME`.'),
  },
)

export const silencesPageQuery: z.ZodMiniObject = namedObject(
  'SilencesPageQuery',
  'Which silences to list.',
  {
    ...ofSilences,
    ...ofPage('`state` (default), `startsAt`, `endsAt`, `updatedAt` or `createdBy`.'),
  },
)

export const alertsChangesQuery: z.ZodMiniObject = namedObject(
  'AlertsChangesQuery',
  'Which changes to send.',
  {
    types: described(z.optional(z.array(changeTopic)), 'Default: alerts, alert-groups, silences.'),
    ...filter,
    since: described(z.optional(text), 'The `id` of the last known event, without the header.'),
  },
)

export const meQuery: z.ZodMiniObject = namedObject('MeQuery', 'How to answer unknown senders.', {
  signIn: described(
    z.optional(z.boolean()),
    'Whether an unknown sender gets 401, so that a browser asks for a password.',
  ),
})
