import { createHash } from 'node:crypto'
import { hashMessage } from '@gatehouse/core/webhook'
import { Command } from 'commander'
import { runCommand } from '../run-command.ts'

/** `gatehouse hash`: the SHA-1 of a text, as `POST /hash` returns it. */
export function hashCommand(): Command {
  const command = new Command('hash')
    .description('Print the SHA-1 of a text, or of the bytes of standard input.')
    .argument('[message]', 'the text (default: standard input, including its line ends)')
    .option('--json', 'print the hash as JSON')
  return command.action((message: string | undefined) =>
    runCommand(() => printHash(message, command.opts<{ json?: boolean }>())),
  )
}

async function printHash(
  message: string | undefined,
  { json }: { json?: boolean },
): Promise<number> {
  const hash = message === undefined ? await hashOfInput() : hashMessage({ message }).hash
  console.log(json ? JSON.stringify({ hash }) : hash)
  return 0
}

async function hashOfInput(): Promise<string> {
  const hash = createHash('sha1')
  for await (const chunk of process.stdin) hash.update(chunk)
  return hash.digest('hex')
}
