import {
  type ListedSigningKey,
  listSigningKeys,
  type RotateSigningKeysOptions,
  rotateSigningKeys,
} from '@gatehouse/core/auth'
import { Command } from 'commander'
import { type OpenedAuth, withAuth } from '../api/with-auth.ts'
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

/** `gatehouse keys`: the keys that sign tokens. */
export function keysCommand(): Command {
  const list = addKeysFlags(
    new Command('list').description(
      'List the keys that are published: the one that signs, the next one, and those whose tokens are still valid.',
    ),
  )
  list.action(() =>
    runCommand(() =>
      withAuth(fileOf(list.opts<KeysFlags>()), async (opened) =>
        show(await keysOf(opened, (ring) => ring.list()), list.opts<KeysFlags>()),
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
      return withAuth(fileOf(flags), async (opened) =>
        show(await keysOf(opened, (ring) => ring.rotate({ revoke })), flags),
      )
    }),
  )
  return new Command('keys')
    .description(
      'List and rotate the keys that sign access tokens, and those of the authorization server.',
    )
    .addCommand(list)
    .addCommand(rotate)
}

const addKeysFlags = (command: Command): Command =>
  addConfigFlag(command.option('--json', 'print the keys as JSON'))

const fileOf = ({ config }: KeysFlags): { readonly file: string | undefined } => ({ file: config })

/** The keys that sign one kind of tokens. */
interface Ring {
  /** Tokens of sessions, or what apps get. */
  readonly signs: 'sessions' | 'apps'
  list(): Promise<readonly ListedSigningKey[]>
  rotate(options: RotateSigningKeysOptions): Promise<readonly ListedSigningKey[]>
}

type ShownKey = ListedSigningKey & Pick<Ring, 'signs'>

/** What `read` returns of each ring that the file configures. */
async function keysOf(
  { auth, config, openOidc }: OpenedAuth,
  read: (ring: Ring) => Promise<readonly ListedSigningKey[]>,
): Promise<readonly ShownKey[]> {
  const oidc = await openOidc()
  const ofSessions: Ring = {
    signs: 'sessions',
    list: () => listSigningKeys(auth),
    rotate: (options) => rotateSigningKeys(auth, options),
  }
  const ofApps: readonly Ring[] =
    oidc === undefined
      ? []
      : [
          {
            signs: 'apps',
            list: () => oidc.listKeys(),
            rotate: (options) => oidc.rotateKeys(options),
          },
        ]
  // A file with neither is refused by the first ring.
  const rings = config.tokens === undefined && oidc !== undefined ? ofApps : [ofSessions, ...ofApps]
  const shown: ShownKey[] = []
  for (const ring of rings) {
    for (const key of await read(ring)) shown.push({ ...key, signs: ring.signs })
  }
  return shown
}

const toneOfState: Readonly<Record<ListedSigningKey['state'], Tone | undefined>> = {
  next: 'warning',
  signing: 'good',
  retiring: undefined,
}

const time = (instant: number): string => new Date(instant).toISOString()

function show(keys: readonly ShownKey[], { json = false }: KeysFlags): number {
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
  for (const { kid, state, signs, created_at, active_from } of json ? [] : keys) {
    const tone = toneOfState[state]
    const painted = tone === undefined ? state : paint(tone, state)
    const from = state === 'next' ? `  signs from ${time(active_from)}` : ''
    const ofApps = signs === 'apps' ? '  for apps' : ''
    console.log(`${kid}  ${painted}  made ${time(created_at)}${from}${ofApps}`)
  }
  return 0
}
