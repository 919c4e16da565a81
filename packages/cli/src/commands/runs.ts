import type { Run, RunStatus, RunsQuery, WebhooksClient } from '@gatehouse/client'
import { Command, InvalidArgumentError, Option } from 'commander'
import { integerFlag } from '../flags/flags.ts'
import { paint, type Tone } from '../log/color.ts'
import { addServerFlags, askWebhooks, type ServerFlags } from '../remote/server.ts'
import { exitCodeOfRun, showRun } from '../remote/show-run.ts'
import { runCommand } from '../run-command.ts'

type ShownRun = Omit<Run, 'stdout' | 'stderr'>

interface RunsFlags extends ServerFlags {
  readonly webhook?: string
  readonly status?: RunStatus
  readonly limit: number
  readonly before?: string
  readonly json?: boolean
}

/** The color of each status. Its keys are the values of `--status`. */
const toneOfStatus: Readonly<Record<RunStatus, Tone | undefined>> = {
  queued: undefined,
  running: undefined,
  succeeded: 'good',
  failed: 'bad',
  timed_out: 'bad',
  canceled: 'warning',
  superseded: 'warning',
  lost: 'bad',
}

/** `gatehouse runs`: the runs of a running server. */
export function runsCommand(): Command {
  const runs = new Command('runs').description(
    'List the runs of webhooks of a running server, newest first. Needs the token of admin, or with --webhook that of the webhook.',
  )
  addFlags(runs)
    .addOption(new Option('--status <status>', 'only these').choices(Object.keys(toneOfStatus)))
    .option('--limit <number>', 'how many, from 1 to 500', limitFlag, 50)
    .option('--before <id>', 'only runs before this one, to continue a list')
    .option('--json', 'print the runs as JSON, without their outputs')
    .action(() => runCommand(() => list(runs.opts<RunsFlags>())))
  return runs.addCommand(followCommand())
}

const addFlags = (command: Command): Command =>
  addServerFlags(command).option('--webhook <id>', 'only runs of this webhook')

function limitFlag(text: string): number {
  const limit = integerFlag(text)
  if (limit >= 1 && limit <= 500) return limit
  throw new InvalidArgumentError('limit must be a number from 1 to 500')
}

function followCommand(): Command {
  const follow = new Command('follow')
    .description(
      'Print a line for each change of a run, until you stop it. With the id of a run, show its output from the beginning, and exit with its exit code.',
    )
    .argument('[run]', 'the id of a run')
  addFlags(follow).option('--json', 'print each change as a line of JSON')
  // Both commands have the flags of a server, and either place may have them.
  return follow.action((run: string | undefined) =>
    runCommand(() => followRuns(run, follow.optsWithGlobals<RunsFlags>())),
  )
}

async function list({ webhook, status, limit, before, ...flags }: RunsFlags): Promise<number> {
  const query: RunsQuery = {
    limit,
    output: false,
    ...(webhook === undefined ? {} : { id: webhook }),
    ...(status === undefined ? {} : { status }),
    ...(before === undefined ? {} : { before }),
  }
  const { runs, next } = await askWebhooks(flags, (server) => server.runs(query))
  const shown = runs.map(({ stdout: _, stderr: __, ...run }): ShownRun => run)
  if (flags.json) console.log(JSON.stringify({ runs: shown, next }))
  else {
    for (const run of shown) console.log(lineOf(run))
    if (next !== null) console.error(`more runs: --before ${next}`)
  }
  return 0
}

/** A run in a line: when, which, how, and how long. */
function lineOf(run: ShownRun): string {
  const { created_at, run_id, id, status, reason, exit_code, signal, duration_ms } = run
  const tone = toneOfStatus[status]
  const end =
    status === 'succeeded' || (exit_code === null && signal === null && reason === null)
      ? ''
      : ` (${exit_code === null ? (signal ?? reason) : `exit code ${exit_code}`})`
  const took = duration_ms === null ? [] : [`${(duration_ms / 1_000).toFixed(1)} s`]
  const state = `${tone === undefined ? status : paint(tone, status)}${end}`
  return [created_at, run_id, id, state, ...took].join('  ')
}

async function followRuns(
  runId: string | undefined,
  { webhook, ...flags }: RunsFlags,
): Promise<number> {
  const json = flags.json === true
  if (runId === undefined) {
    return askWebhooks(flags, (server) => printChanges(server, webhook, json))
  }
  const ended = await askWebhooks(flags, (server) => showRun(server.follow(runId), json))
  if (ended !== undefined) return exitCodeOfRun(ended)
  throw new Error(`the output of ${runId} has no end`)
}

/** Never returns: the client connects again whenever the stream ends. */
async function printChanges(
  server: WebhooksClient,
  webhook: string | undefined,
  json: boolean,
): Promise<number> {
  let isFirst = true
  for await (const change of server.changes(webhook === undefined ? {} : { id: webhook })) {
    if (json) console.log(JSON.stringify(change))
    else if (change.type === 'run') console.log(lineOf(change.data))
    else if (change.type === 'run-removed') {
      console.log(`${change.data.run_id}  ${change.data.id}  ended, and is not kept`)
    } else if (!isFirst) console.error('changes may be missing here: the connection was lost')
    isFirst = false
  }
  return 0
}
