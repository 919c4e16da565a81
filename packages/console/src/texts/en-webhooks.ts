import type { FieldProblem } from '../runs/run-fields.ts'
import { countOf } from './count-of.ts'

const some = countOf('en')

/** The texts of the page of webhooks in English. */
export const webhooks = {
  configured: 'Configured',
  run: 'Run',
  runOne: (id: string) => `Run ${id}`,
  runs: 'Runs',
  runsOf: (id: string) => `Runs of ${id}`,
  none: 'No webhooks',
  noneDetail: 'The configuration has no enabled webhook.',
  noRuns: 'No runs yet',
  noRunsDetail: 'Run a webhook, or wait for its sender.',
  noMatch: 'No run matches',
  showAll: 'Show all runs',
  more: 'Show older runs',
  allWebhooks: 'All webhooks',
  allStatuses: 'All statuses',
  webhook: 'Webhook',
  status: 'Status',
  started: 'Started',
  created: 'Created',
  duration: 'Duration',
  waited: 'Waited',
  runId: 'Run',
  finished: 'Finished',
  inputs: (n: number) => (n === 0 ? 'no values' : some(n, 'value', 'values')),
  atOnce: (n: number) =>
    n === 0 ? 'any number at once' : n === 1 ? 'one at a time' : `${n} at once`,
  limit: (duration: string) => `at most ${duration}`,
  statuses: {
    queued: 'Queued',
    running: 'Running',
    succeeded: 'Succeeded',
    failed: 'Failed',
    timed_out: 'Timed out',
    canceled: 'Canceled',
    superseded: 'Superseded',
    lost: 'Lost',
  },
  reasons: {
    exit_code: (code: string) => `exit code ${code}`,
    signal: (_: string, signal: string) => `ended by ${signal}`,
    not_started: () => 'the command did not start',
    output_limit: () => 'too much output',
    canceled: () => 'on request',
    disconnect: () => 'the client disconnected',
    shutdown: () => 'the server stopped',
  },
  skipped: 'The rules of the webhook did not match this request. Nothing was run.',
  noValues: 'The command gets no values from the request.',
  elsewhere: (sources: string) => `This form cannot fill ${sources}.`,
  uses: {
    argument: (name: string) => (name === '' ? 'Argument' : `Argument ${name}`),
    variable: (name: string) => `Variable ${name}`,
    file: (name: string) => `File in ${name}`,
  },
  optional: 'optional',
  ifEmpty: (value: string) => `If empty: ${value}`,
  fits: (pattern: string) => `Must match ${pattern}`,
  problem: (problem: FieldProblem): string => {
    if (problem.kind === 'long') return `At most ${some(problem.most, 'byte', 'bytes')}`
    if (problem.kind === 'pattern') return `Must match ${problem.pattern}`
    return {
      required: 'Required',
      dash: 'Must not begin with a dash',
      characters: 'Has characters that cannot be sent',
      base64: 'Must be base64',
    }[problem.kind]
  },
  data: 'Data as JSON',
  dataDetail: 'An object. The values above are added to it.',
  badData: 'This is not a JSON object',
  token: 'Token',
  tokenOfWebhook: 'The token of the webhook',
  wrongToken: 'The token is wrong',
  tokenTitle: 'Enter a token',
  tokenDetail:
    'Enter the token of a webhook to see and run it, or the token of the administrator to see all runs. The token is forgotten when you close this tab.',
  showToken: 'Show the token',
  open: 'Open',
  forgetToken: 'Forget the token',
  notServed: 'No webhook service at this path',
  notServedDetail: 'Set the path of the webhooks in the option paths of consoleRoutes().',
  cancel: 'Cancel run',
  cancelTitle: 'Cancel this run?',
  cancelDetail:
    'Every process of its command gets SIGTERM, and SIGKILL if it does not end. What it has done so far stays.',
  keep: 'Let it run',
  canceling: 'Canceling the run…',
  again: 'Run again',
  againDetail: 'The server keeps no values of a run. Fill them in again.',
  copyLink: 'Copy link',
  gone: 'There is no such run',
  goneDetail: 'Records are removed after a while, or when there are too many.',
  exit: 'Exit code',
  address: 'Sent from',
  command: 'Command',
  attempts: 'Starts',
  output: 'Output',
  download: 'Download',
  search: 'Find in the output',
  found: (at: number, all: number, isAll: boolean) =>
    all === 0
      ? 'Nothing found'
      : `Line ${at} of ${some(all, 'line', 'lines')}${isAll ? '' : ' or more'}`,
  next: 'Next line',
  previous: 'Previous line',
  toEnd: 'Go to the end',
  noOutput: 'No output',
  noOutputYet: 'No output yet',
  outputStates: {
    loading: 'Loading…',
    live: 'Live',
    ended: 'Complete',
    waiting: 'The connection was lost. Reconnecting…',
    failed: 'The output cannot be read',
  },
  dropped: (n: number) =>
    `${some(n, 'earlier line is', 'earlier lines are')} not shown, to save memory. Download the output to see all that the server keeps.`,
  cut: (stream: string, size: string) =>
    `The server did not keep all of ${stream}: the command wrote ${size}.`,
  separate: 'Of what was written before you opened this page, stdout comes first, then stderr.',
  errorMark: 'err',
  fold: (n: number) => `Show ${some(n, 'more character', 'more characters')}`,
  durations: 'Durations',
  summary: (count: number, failed: number, median: string, most: string, longest: string) =>
    `${some(count, 'run', 'runs')}, ${failed} failed · median ${median} · 95 % within ${most} · longest ${longest}`,
  asTable: 'As a table',
  range: 'Range',
  upTo: (to: string) => `under ${to}`,
  from: (from: string) => `${from} and more`,
  between: (from: string, to: string) => `${from} to ${to}`,
  failedRuns: 'Failed',
  sender: 'What its sender needs',
  senderUrl: 'URL',
  copyUrl: 'Copy the URL',
  senderMethods: 'Methods',
  senderTypes: 'Content type',
  senderProof: 'Secret',
  proofs: {
    bearer: () => 'the token, in Authorization: Bearer',
    header: (name: string) => `the token, in the header ${name}`,
    query: (name: string) => `the token, as ?${name}=… in the URL`,
    basic: () => 'the token, as the password of Basic authentication',
    path: () => 'the token, as one more segment at the end of the address',
    signature: (scheme: string, headers: string) =>
      `the secret of the signature, which is sent as ${scheme} in ${headers}`,
    none: () => 'none',
  },
}

/** The texts that every language has. */
export type WebhookTexts = typeof webhooks
