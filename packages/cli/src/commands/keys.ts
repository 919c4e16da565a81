import { type ListedSigningKey, listSigningKeys, rotateSigningKeys } from '@gatehouse/core/auth'
import { Command } from 'commander'
import { withAuth } from '../auth/with-auth.ts'
import { addConfigFlag } from '../flags/api-flags.ts'
import { paint, type Tone } from '../log/color.ts'
import { runCommand } from '../run-command.ts'

interface KeysFlags {
  readonly config?: string
  readonly json?: boolean
}

interface RotateFlags extends KeysFlags {
  readonly revoke?: boolean
}

/** `gatehouse keys`: the keys that sign access tokens. */
export function keysCommand(): Command {
  const list = addKeysFlags(
    new Command('list').description(
      'List the keys that are published: the one that signs, the next one, and those whose tokens are still valid.',
    ),
  )
  list.action(() =>
    runCommand(() =>
      withAuth(fileOf(list.opts<KeysFlags>()), async ({ auth }) =>
        show(await listSigningKeys(auth), list.opts<KeysFlags>()),
      ),
    ),
  )
  const rotate = addKeysFlags(
    new Command('rotate')
      .description(
        'Make the next key now, before its time. It signs when all who fetch the keys know it, and the old one stays until its last token has ended. Servers may keep running.',
      )
      .option('--revoke', 'end all other keys and access tokens at once, after a key was stolen'),
  )
  rotate.action(() =>
    runCommand(() => {
      const { revoke = false, ...flags } = rotate.opts<RotateFlags>()
      return withAuth(fileOf(flags), async ({ auth }) =>
        show(await rotateSigningKeys(auth, { revoke }), flags),
      )
    }),
  )
  return new Command('keys')
    .description('List and rotate the keys that sign access tokens.')
    .addCommand(list)
    .addCommand(rotate)
}

const addKeysFlags = (command: Command): Command =>
  addConfigFlag(command.option('--json', 'print the keys as JSON'))

const fileOf = ({ config }: KeysFlags): { readonly file: string | undefined } => ({ file: config })

const toneOfState: Readonly<Record<ListedSigningKey['state'], Tone | undefined>> = {
  next: 'warning',
  signing: 'good',
  retiring: undefined,
}

const time = (instant: number): string => new Date(instant).toISOString()

function show(keys: readonly ListedSigningKey[], { json = false }: KeysFlags): number {
  if (json) {
    const shown = keys.map(({ created_at, active_from, ...key }) => ({
      ...key,
      created_at: time(created_at),
      active_from: time(active_from),
    }))
    console.log(JSON.stringify({ keys: shown }))
  } else if (keys.length === 0) {
    console.log('no key yet: the first token makes it')
  }
  for (const { kid, state, created_at, active_from } of json ? [] : keys) {
    const tone = toneOfState[state]
    const painted = tone === undefined ? state : paint(tone, state)
    const from = state === 'next' ? `  signs from ${time(active_from)}` : ''
    console.log(`${kid}  ${painted}  made ${time(created_at)}${from}`)
  }
  return 0
}
