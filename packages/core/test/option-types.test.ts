import type { AlertsOptions, AuthOptions, WebhooksOptions } from '@gatehouse/core'
import { readAuthConfig } from '@gatehouse/core/auth'
import { expect, it } from 'vitest'

const http = { public_origin: 'http://localhost:3000' }
type Auth = Pick<AuthOptions, 'config' | 'senders' | 'logger'>
type Alerts = Pick<AlertsOptions, 'config'>
type Webhooks = Pick<WebhooksOptions, 'config'>

// The compiler must report each mistake at the line below its comment.
const mistakes: readonly (Auth | Alerts | Webhooks)[] = [
  {
    config: {
      id: 'a',
      http,
      authentication: {
        // @ts-expect-error
        identities: ['emial'],
      },
    },
  } satisfies Auth,
  {
    config: {
      id: 'a',
      http,
      authentication_flow: {
        login_flows: [
          {
            name: 'default',
            steps: [
              {
                // @ts-expect-error
                type: 'identifi',
                one_of: [],
              },
            ],
          },
        ],
      },
    },
  } satisfies Auth,
  {
    config: {
      // @ts-expect-error
      route: { reciever: 'team' },
      receivers: [{ name: 'team' }],
    },
  } satisfies Alerts,
  {
    config: {
      webhooks: [
        {
          id: 'a',
          token: 'b',
          execute_command: 'true',
          workdir: '',
          // @ts-expect-error
          mode: 'asink',
        },
      ],
    },
  } satisfies Webhooks,
]

/** What users write. */
const good: readonly Auth[] = [
  { config: { id: 'a', http }, senders: undefined, logger: undefined },
  { config: { id: 'a', http }, senders: { sendEmail: undefined }, logger: console },
  { config: 'id: a', logger: false },
  { config: { text: 'id: a', filename: 'authgear.yaml' } },
  { config: () => readAuthConfig({ id: 'a', http }) },
]

it('the options of these types are options', () => {
  expect(mistakes).toHaveLength(4)
  expect(good).toHaveLength(5)
})

it('a configuration that was read already is given by a function', () => {
  const read = readAuthConfig({ id: 'a', http })
  expect(readAuthConfig(() => read)).toBe(read)
})
