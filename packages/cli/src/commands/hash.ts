import { createHash } from 'node:crypto'
import { hashMessage } from '@gatehouse/core/webhook'
import { Command } from 'commander'
import { runCommand } from '../run-command.ts'

/** `gatehouse hash`: the SHA-1 of a text, as `POST /hash` returns it. */
export function hashCommand(): Command {
  return new Command('hash')
    .description('Print the SHA-1 of a text, or of the bytes of standard input.')
    .argument('[message]', 'the text (default: standard input, including its line ends)')
    .action((message: string | undefined) => runCommand(() => printHash(message)))
}

async function printHash(message: string | undefined): Promise<number> {
  console.log(message === undefined ? await hashOfInput() : hashMessage({ message }).hash)
  return 0
}

async function hashOfInput(): Promise<string> {
  const hash = createHash('sha1')
  for await (const chunk of process.stdin) hash.update(chunk)
  return hash.digest('hex')
}
