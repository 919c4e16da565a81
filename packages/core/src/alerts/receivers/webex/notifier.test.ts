import { describe, expect, it } from 'vitest'
import { deliver, describeDelivery } from '../delivery.fixture.ts'
import { webex } from './notifier.ts'

const settings = { room_id: 'room', http_config: { authorization: { credentials: 'wt0k' } } }

describeDelivery({
  kind: webex,
  settings: (url) => ({ api_url: `${url}/v1/messages`, ...settings }),
  secrets: [],
  recorded: { firing: ['webex'], resolved: ['webex'] },
})

describe('the message', () => {
  async function messageOf(given: object): Promise<object> {
    const { requests } = await deliver({
      kind: webex,
      settings: (url) => ({ api_url: url, ...settings, ...given }),
    })
    return JSON.parse(requests[0]?.body ?? '')
  }

  it('goes to a room that may be a template', async () => {
    const message = await messageOf({ message: 'm', room_id: 'r-{{ .CommonLabels.severity }}' })
    expect(message).toEqual({ markdown: 'm', roomId: 'r-critical' })
  })

  it('is truncated to the byte limit of Webex, between characters', async () => {
    const fits = `${'😀'.repeat(1_859)}abc`
    expect(new TextEncoder().encode(fits)).toHaveLength(7_439)
    expect(await messageOf({ message: fits })).toMatchObject({ markdown: fits })
    const cut = `${'😀'.repeat(1_859)}…`
    expect(new TextEncoder().encode(cut)).toHaveLength(7_439)
    expect(await messageOf({ message: `${fits}d` })).toMatchObject({ markdown: cut })
    expect(await messageOf({ message: `${'😀'.repeat(1_860)}` })).toMatchObject({ markdown: cut })
    const within = `ab${'😀'.repeat(1_860)}`
    expect(await messageOf({ message: within })).toMatchObject({
      markdown: `ab${'😀'.repeat(1_858)}…`,
    })
  })
})
