import { createMemoryStorage } from '@gatehouse/store-memory'
import { afterAll, describe, expect, it } from 'vitest'
import { isInGrid, sampleOf } from '../../../../test-support/lane.ts'
import { closeWebhooks } from './close-webhooks.ts'
import { createWebhooks } from './create-webhooks.ts'
import { triggerWebhook } from './trigger-webhook.ts'

/** Values of `$1`. */
const values: Readonly<Record<string, string>> = {
  plain: 'value',
  empty: '',
  'with a line break': 'one\ntwo',
  'with a line break at its end': 'one\n',
  'with quotes': `'"'"\\ "\${HOME}" \`id\` $(id)`,
  'with dashes': '--help',
  unicode: 'é 日本語 \u{1f600} \ufeff',
  'with control characters': '\u0001\u001b[0m\r\t\u007f\u0085',
  long: 'x'.repeat(20_000),
}

/** A launcher can run some of these commands and not others. The result must not depend on it. */
const telling = ['plain', 'with a line break', 'long'] as const

const scripts: readonly string[] = [
  'printf %s "$1"',
  'printf %s "$1" >&2',
  'printf %s "$1" >/dev/stdout',
  'printf %s "$1" >/dev/stderr',
  'echo x >/dev/stderr; echo y >/dev/stdout',
  'echo x >>/dev/stderr; echo y >>/dev/stdout',
  'echo x >/proc/self/fd/2',
  'echo x | tee /dev/stderr',
  'printf %s "$1" | tee /dev/stderr | wc -c',
  'for fd in 0 1 2; do [ -S /dev/fd/$fd ] && echo "$fd is a socket"; done; echo done',
  '[ -p /dev/stdout ] && [ -p /dev/stderr ] && echo pipes',
  '[ -c /dev/stdin ] && echo null device',
  'cat; echo "read $?"',
  'cat /dev/stdin; echo "read $?"',
  'read -r line; echo "read $?"',
  '[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo no terminal',
  'exit 0',
  'exit 1',
  'exit 7',
  'exit 126',
  'exit 127',
  'exit 128',
  'exit 130',
  'exit 137',
  'exit 141',
  'exit 143',
  'exit 255',
  'kill -TERM $$; sleep 5',
  'kill -KILL $$; sleep 5',
  'kill -INT $$; sleep 5',
  'kill -PIPE $$; sleep 5',
  'ulimit -c 0; kill -SEGV $$; sleep 5',
  'kill -TERM 0; sleep 5',
  'trap "echo caught; exit 4" TERM; kill -TERM $$; sleep 5',
  'absent-program 2>/dev/null; echo "status $?"',
  '/absent/program 2>/dev/null',
  'yes 2>/dev/null | head -n 3',
  'head -c 100000 /dev/zero | tr "\\000" x; echo end >&2',
  'exec 1>&-; echo x >&2; exit 3',
  'exec >&- 2>&-; exit 5',
  'echo first; (exec >/dev/null 2>&1; sleep 0.1) & exit 0',
  'umask; pwd; echo "$#"; printf %s "$0"',
  'env | grep -v -e GATEHOUSE_ -e "^_=" | sort',
  'printf "a\\000b\\377\\200c"',
  'printf %s "$1" | od -An -c | tail -n 1',
  'dd if=/dev/zero bs=1000 count=3 2>/dev/null | wc -c',
]

/** Usually each script that has no use for a value is run with one of these, in turn. */
const isInTurn = sampleOf(telling.length)
const tellingFor = (script: string) =>
  telling.filter((_, index) => isInTurn(scripts.indexOf(script), index))

const combinations = (['auto', 'direct', 'launcher'] as const).flatMap((executor) =>
  (['sync', 'async', 'stream'] as const)
    .filter((mode) => isInGrid(executor === 'auto', mode === 'sync'))
    .map((mode) => ({ id: `${executor}-${mode}`, executor, mode })),
)

const webhooks = createWebhooks({
  storage: createMemoryStorage(),
  environment: { PATH: '/usr/bin:/bin', HOME: '/' },
  config: {
    limits: { concurrency: 8 },
    webhooks: combinations.map(({ id, executor, mode }) => ({
      id,
      token: 't',
      execute_command: '/bin/sh',
      workdir: '/',
      concurrency: 0,
      executor,
      mode,
      command_arguments: [
        { name: '-c', source: '' },
        { name: '', source: 'data.script', format: 'value', allow_dash: true },
        { name: 'sh', source: '' },
        { name: '', source: 'data.value', format: 'value', allow_dash: true },
      ],
    })),
  },
})
afterAll(() => closeWebhooks(webhooks, { graceMs: 0 }))

async function resultOf(id: string, script: string, value: string): Promise<object> {
  const run = await triggerWebhook(webhooks, id, { script, value }, { wait: true })
  if (run.status === 'skipped') throw new Error('no webhook here has rules')
  const { status, reason, exit_code, signal, stdout, stderr, stdout_bytes } = run
  return { status, reason, exit_code, signal, stdout, stderr, stdout_bytes }
}

describe('a script gives the same result with every executor, in every mode', () => {
  it.each(scripts)('%s', async (script) => {
    const usesValue = script.includes('$1')
    for (const name of usesValue ? Object.keys(values) : tellingFor(script)) {
      const value = values[name] ?? ''
      const [first, ...others] = await Promise.all(
        combinations.map(({ id }) => resultOf(id, script, value)),
      )
      for (const [index, other] of others.entries()) {
        expect(other, `${combinations[index + 1]?.id}, value ${name}`).toEqual(first)
      }
      if (!usesValue) expect(first).toEqual(await plainResult(script))
    }
  })
})

const plain = new Map<string, Promise<object>>()

function plainResult(script: string): Promise<object> {
  const known = plain.get(script) ?? resultOf('direct-sync', script, 'value')
  plain.set(script, known)
  return known
}

describe('the output of a script', () => {
  it.each(Object.entries(values))(
    'is complete if it opens its outputs by name, %s',
    async (_, value) => {
      for (const { id } of combinations) {
        const run = await resultOf(id, 'printf %s "$1" >/dev/stderr; echo x', value)
        expect(run).toMatchObject({ status: 'succeeded', stdout: 'x\n', stderr: value })
      }
    },
  )
})
