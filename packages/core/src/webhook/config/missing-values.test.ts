import { describe, expect, it } from 'vitest'
import { createFixture, endAtOnce, webhookNamed } from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'
import { readConfig, readWebhook, settingProblems } from './config.fixture.ts'

const from = (name: string) => ({ source: `data.${name}` })
const values = {
  command_arguments: [from('a'), { ...from('b'), format: 'value', on_missing: 'name', name: '-b' }],
  env: { A: from('a'), B: { ...from('b'), on_missing: 'empty' }, C: 'text' },
  files: [
    { env: 'F', ...from('f') },
    { env: 'G', ...from('g'), on_missing: 'error' },
  ],
}

function choices(settings: object): unknown[] {
  const { command_arguments, env, files } = readWebhook({ ...values, ...settings })
  return [...command_arguments, ...env.values(), ...files].map((one) =>
    'on_missing' in one ? one.on_missing : 'none',
  )
}

describe('on_missing of a webhook', () => {
  it.each([undefined, 'error', 'skip', 'empty'])(
    '%s holds where a value does not say it',
    (word) => {
      const own = word ?? 'error'
      const settings = word === undefined ? {} : { on_missing: word }
      expect(choices(settings)).toEqual([own, 'name', own, 'empty', 'none', own, 'error'])
    },
  )

  it('is inherited, and overridden', () => {
    const webhooks = [
      webhookNamed('a', values),
      webhookNamed('b', { ...values, on_missing: 'error' }),
    ]
    const config = readConfig({ webhooks, defaults: { on_missing: 'skip' } })
    const firsts = config.webhooks.map(({ command_arguments: [first] }) => first?.on_missing)
    expect(firsts).toEqual(['skip', 'error'])
  })

  it.each(['name', 'fail', true])('%s is refused', (on_missing) => {
    expect(settingProblems({ on_missing })).toHaveLength(1)
  })

  it.each([
    ['skip', [], {}],
    ['empty', ['', ''], { A: '', B: '' }],
  ])('%s reaches the command', async (on_missing, args, env) => {
    const settings = { ...values, on_missing, files: [{ env: 'F', ...from('f') }] }
    const config = {
      webhooks: [
        webhookNamed('job', {
          ...settings,
          command_arguments: [from('a'), from('b')],
          env: { A: from('a'), B: from('b') },
        }),
      ],
    }
    const { webhooks, runner } = createFixture({ config, script: endAtOnce })
    await triggerWebhook(webhooks, 'job')
    const [started] = runner.commands
    expect(started?.command.args).toEqual(args)
    const { A, B, F } = started?.command.env ?? {}
    expect({ ...(A === undefined ? {} : { A }), ...(B === undefined ? {} : { B }) }).toEqual(env)
    expect(F === undefined).toBe(on_missing === 'skip')
  })
})
