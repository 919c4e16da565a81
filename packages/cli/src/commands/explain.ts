import type { Explanation } from '@gatehouse/client'
import { Command } from 'commander'
import { paint, type Tone } from '../log/color.ts'
import { addServerFlags, askServer, type ServerFlags } from '../remote/server.ts'
import { runCommand } from '../run-command.ts'

interface ExplainFlags extends ServerFlags {
  readonly json?: boolean
}

/** `gatehouse explain`: how an alert is routed, and why. */
export function explainCommand(): Command {
  const command = new Command('explain')
    .description(
      'Explain how a running server routes an alert with these labels, firing or not: who is notified, what suppresses it, and what happens next.',
    )
    .argument('<label...>', 'labels, such as alertname=DiskFull team=db')
  addServerFlags(command).option('--json', 'print the explanation as JSON')
  return command.action((pairs: readonly string[]) =>
    runCommand(() => explain(pairs, command.opts<ExplainFlags>())),
  )
}

async function explain(pairs: readonly string[], flags: ExplainFlags): Promise<number> {
  const labels: Record<string, string> = {}
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new Error(`"${pair}" is not name=value`)
    labels[pair.slice(0, at)] = unquoted(pair.slice(at + 1))
  }
  const explanation = await askServer(flags, (server) => server.explain(labels))
  console.log(flags.json ? JSON.stringify(explanation) : linesOf(explanation).join('\n'))
  return 0
}

/** As amtool, which takes values with quotes, too. */
const unquoted = (text: string): string => (/^"[^"]*"$/.test(text) ? text.slice(1, -1) : text)

function linesOf({ firing, state, reasons, notifications = [] }: Explanation): readonly string[] {
  const is = firing ? `is firing and ${state}` : 'is not firing'
  return [
    paint('strong', `The alert ${is}. It`),
    ...reasons.map((reason) => `- ${reason}`),
    ...(notifications.length === 0 ? [] : ['', 'Recent notifications:']),
    ...notifications.map(({ at, receiver, integration, outcome, reason, detail }) => {
      const to = integration === undefined ? receiver : `${receiver} (${integration})`
      const why = [reason, detail].filter((text) => text !== undefined).join(': ')
      return `- ${at} ${paint(toneOf(outcome), outcome)} ${to}${why === '' ? '' : `: ${why}`}`
    }),
  ]
}

const tones: ReadonlyMap<string, Tone> = new Map([
  ['sent', 'good'],
  ['failed', 'bad'],
])

const toneOf = (outcome: string): Tone => tones.get(outcome) ?? 'warning'
