import type { MatchersProblem } from '@gatehouse/client'

const count = new Intl.NumberFormat('en')
const some = (n: number, one: string, many: string): string =>
  `${count.format(n)} ${n === 1 ? one : many}`

const expected: Readonly<Record<MatchersProblem['expected'], string>> = {
  name: 'the name of a label',
  operator: 'one of = != =~ !~',
  value: 'a value',
  comma: 'a comma',
  brace: 'a closing brace',
  end: 'the end',
}

/** The texts of the console in English. Other languages have the same members. */
export const en = {
  shell: {
    skip: 'Skip to the content',
    pages: 'Pages',
    noPage: 'There is no such page',
    preferences: 'Preferences',
    colorScheme: 'Colours',
    schemes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
    language: 'Language',
    connections: { live: 'Live', polling: 'Every 5 s' },
    connectionDetails: {
      live: 'Changes are shown as they happen.',
      polling: 'The server does not send changes. The page asks for them every 5 seconds.',
    },
  },
  pages: {
    alerts: 'Alerts',
    silences: 'Silences',
    notifications: 'Notifications',
    status: 'Status',
  },
  states: {
    loading: 'Loading…',
    failed: 'That did not work',
    fault: 'The page has a fault',
    offline: 'The server does not answer',
    offlineDetail: 'The page tries again until it does.',
    signIn: 'Sign in first',
    notAllowed: 'You may not do this',
    retry: 'Try again',
  },
  matchers: {
    clear: 'Clear the filter',
    problem: (what: MatchersProblem['expected'], found: string, column: number) =>
      found === ''
        ? `Column ${column}: expected ${expected[what]}`
        : `Column ${column}: expected ${expected[what]}, found ${found}`,
  },
  alerts: {
    filter: 'Filter by matchers',
    count: (n: number) => some(n, 'alert', 'alerts'),
    groups: (n: number) => some(n, 'group', 'groups'),
    none: 'No alerts',
    noneDetail: 'Nothing is firing.',
    noMatch: 'No alert matches',
    clearFilter: 'Show all alerts',
    addToFilter: (name: string, value: string) => `Add ${name}="${value}" to the filter`,
    groupBy: 'Group by',
    byGroup: 'Alert group',
    byReceiver: 'Receiver',
    byLabel: (name: string) => `Label ${name}`,
    view: 'View',
    cards: 'Cards',
    table: 'Table',
    states: { active: 'Active', silenced: 'Silenced', inhibited: 'Inhibited' },
    state: 'State',
    severity: 'Severity',
    name: 'Alert',
    labels: 'Labels',
    since: 'Since',
    firingFor: 'firing for',
    noLabels: 'no common labels',
    more: (n: number) => `Show ${count.format(n)} more`,
    fewer: 'Show fewer',
    silence: 'Silence',
    silenceGroup: 'Silence the group',
    select: (name: string) => `Select ${name}`,
    selected: (n: number) => `${some(n, 'alert', 'alerts')} selected`,
    unselect: 'Clear the selection',
    source: 'Source',
  },
  keys: {
    title: 'Keys',
    filter: 'Go to the filter',
    next: 'Next alert',
    previous: 'Previous alert',
    silence: 'Silence the selected alerts, or this one',
    help: 'This help',
    close: 'Close',
  },
  silences: {
    new: 'New silence',
    edit: 'Edit',
    none: 'No silences',
    states: { active: 'Active', pending: 'Pending', expired: 'Expired' },
    matchers: 'Matchers',
    starts: 'Starts',
    ends: 'Ends',
    duration: 'Duration',
    createdBy: 'Created by',
    comment: 'Comment',
    create: 'Create silence',
    save: 'Save silence',
    expire: 'Expire',
    expired: 'The silence has expired.',
    undo: 'Undo',
    cancel: 'Cancel',
    covers: (now: number, lately: number | undefined) =>
      `Covers ${some(now, 'alert', 'alerts')} now${
        lately === undefined ? '' : `, ${count.format(lately)} in the last week`
      }`,
    extend: 'Extend',
    extendBy: (duration: string) => `${duration} longer`,
    needsMatcher: 'A silence needs a matcher with a value',
    badDuration: 'Write a duration such as 2h or 1d 12h',
    required: 'Required',
    until: 'until',
    by: 'by',
  },
  notifications: {
    none: 'No notifications yet',
    receiver: 'Receiver',
    outcome: 'Outcome',
    alerts: 'Alerts',
    time: 'Time',
    why: 'Why',
    outcomes: {
      sent: 'Sent',
      failed: 'Failed',
      canceled: 'Canceled',
      deduplicated: 'Sent before',
      inhibited: 'Inhibited',
      muted: 'Muted',
      silenced: 'Silenced',
      acknowledged: 'Acknowledged',
      limited: 'Limited',
    },
    firing: (n: number) => `${count.format(n)} firing`,
    resolved: (n: number) => `${count.format(n)} resolved`,
    all: 'All',
  },
  status: {
    version: 'Version',
    since: 'Running since',
    cluster: 'Cluster',
    peers: (n: number) => some(n, 'process', 'processes'),
    clusterStates: { ready: 'Ready', settling: 'Settling', disabled: 'One process' },
    config: 'Configuration',
    configDetail: 'Secrets are masked.',
  },
}

/** What every language has. */
export type Texts = typeof en
