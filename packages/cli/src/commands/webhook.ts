import { readFileSync } from 'node:fs'
import {
  createWebhooks,
  type ExplainedCommand,
  type ExplainedDelivery,
  explainDelivery,
  type Sender,
  senders,
} from '@gatehouse/core/webhook'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { Command, Option } from 'commander'
import { chooseConfigFile } from '../config/choose-config-file.ts'
import { readTextFile } from '../config/config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { createReadFiles } from '../config/read-files.ts'
import { addConfigFlag } from '../flags/api-flags.ts'
import { type Pairs, pairFlag } from '../flags/flags.ts'
import { paint, type Tone } from '../log/color.ts'
import { runCommand } from '../run-command.ts'

interface TestFlags {
  readonly config?: string
  readonly sender?: string
  readonly body?: string
  readonly header?: Pairs
  readonly method: string
  readonly query?: string
  readonly address?: string
  readonly tokenFile?: string
  readonly keyFile?: string
  readonly json?: boolean
}

/** `gatehouse webhook`: tries webhooks before their senders do. */
export function webhookCommand(): Command {
  const test = new Command('test')
    .description(
      'Sign a delivery like its sender, and print step by step what is checked and what the command would be given. Runs nothing, and asks no server: the file has the secret.',
    )
    .argument('<id>', 'the id of the webhook')
  addConfigFlag(test)
    .addOption(
      new Option(
        '--sender <name>',
        'sign like this sender, default: as the webhook expects',
      ).choices(senders.map(({ name }) => name)),
    )
    .option('--body <file>', 'the body, - for standard input, default: an empty one')
    .option(
      '--header <name=value>',
      'a header, such as X-GitHub-Event=push; content-type is application/json by default; may be repeated',
      pairFlag,
    )
    .option('--method <method>', 'the method', 'POST')
    .option('--query <text>', 'the query, without its question mark')
    .option('--address <ip>', 'the address that it comes from, for allow_ips')
    .option('--token-file <file>', 'a file with a token to send')
    .option(
      '--key-file <file>',
      'what to sign with, in place of the secret of the webhook: a secret, or a private key in PEM',
    )
    .option('--json', 'print the checks and the command as JSON')
  test.action((id: string) => runCommand(() => testWebhook(id, test.opts<TestFlags>())))
  return new Command('webhook').description('Test webhooks.').addCommand(test)
}

async function testWebhook(id: string, flags: TestFlags): Promise<number> {
  const { loadApi } = await import('../api/load-api.ts')
  const { path } = await chooseConfigFile(flags.config)
  const { config } = await loadApi(path, createReadFiles())
  const webhooks = createWebhooks({
    storage: createMemoryStorage(),
    logger: false,
    config: () => config.webhooks,
    environment: { ...process.env },
    workdir: process.cwd(),
  })
  const { sender, body, method, query, address, tokenFile, keyFile, header = {} } = flags
  const named: Sender | undefined = senders.find(({ name }) => name === sender)
  const token = tokenFile === undefined ? undefined : (await readTextFile(tokenFile)).text.trim()
  const key = keyFile === undefined ? undefined : (await readTextFile(keyFile)).text.trim()
  const explained = await explainDelivery(webhooks, {
    id,
    body: body === undefined ? '' : readFileSync(body === '-' ? 0 : body),
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...lowerCased(header),
    },
    ...(query === undefined ? {} : { query }),
    ...(address === undefined ? {} : { address }),
    ...(named === undefined ? {} : { sender: named }),
    ...(key === undefined ? {} : { key }),
  })
  console.log(flags.json ? JSON.stringify(explained) : linesOf(explained).join('\n'))
  return explained.checks.some(({ outcome }) => outcome === 'refused') ? badNews : 0
}

/** One spelling, so that a header of the user replaces that of the command. */
const lowerCased = (headers: Pairs): Pairs =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const tones: Readonly<Record<ExplainedDelivery['checks'][number]['outcome'], Tone>> = {
  passed: 'good',
  refused: 'bad',
  answered: 'warning',
}

function linesOf({ runs, checks, command }: ExplainedDelivery): readonly string[] {
  return [
    ...checks.map(
      ({ check, outcome, detail }) => `${paint(tones[outcome], outcome)}  ${check}: ${detail}`,
    ),
    '',
    paint('strong', runs ? 'It would run:' : 'It would run nothing.'),
    ...(command === null ? [] : commandLines(command)),
  ]
}

/** Values are shown as JSON texts, so that one with a line break or an escape sequence stays in its line. */
function commandLines(command: ExplainedCommand): readonly string[] {
  const { argv, workdir, variables, files, stdin_bytes } = command
  return [
    ...argv.map(
      (word, at) => `  ${at === 0 ? 'program' : `argument ${at}`}: ${JSON.stringify(word)}`,
    ),
    `  working directory: ${workdir}`,
    ...Object.entries(variables).map(([name, value]) => `  ${name}=${JSON.stringify(value)}`),
    ...files.map(({ variable, bytes }) => `  ${variable}: a file of ${bytes} bytes`),
    ...(stdin_bytes === 0 ? [] : [`  standard input: ${stdin_bytes} bytes`]),
  ]
}
