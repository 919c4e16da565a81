import { describe, expect, it } from 'vitest'
import { decodeForm } from '../../body/form.ts'
import { itIsSigned, receiveGreeting, verdictOf, webhookOf } from '../sender.fixture.ts'
import { slack } from './sender.ts'

const key = '8f742231b10e8888abcd99yyyzzz85a5'

describe('slack', () => {
  itIsSigned({
    sender: slack,
    body: '{"type":"event_callback","event_id":"Ev08MFMKH6"}',
    keys: { secret: key },
    otherKeys: { secret: 'b3RoZXI=' },
    key,
  })

  it('verifies the documented example', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    const headers = {
      'X-Slack-Request-Timestamp': '1531420618',
      'X-Slack-Signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    }
    const webhook = webhookOf(slack, { secret: key })
    expect(verdictOf(webhook, { headers, body }, 1_531_420_618_000)).toBe('accepted')
    expect(verdictOf(webhook, { headers, body }, 1_531_421_618_000)).toBe(
      'timestamp_out_of_tolerance',
    )
  })

  it('answers the challenge, and runs nothing', () => {
    const webhook = webhookOf(slack, { secret: key })
    const body = { type: 'url_verification', challenge: '3eZbrw1aBm2rZgRN' }
    expect(receiveGreeting(webhook, { body })).toEqual({ status: 200, text: '3eZbrw1aBm2rZgRN' })
    expect(receiveGreeting(webhook, { body: { type: 'event_callback' } })).toBeUndefined()
  })

  it('reads interactivity as JSON, and commands as fields', () => {
    const { form } = webhookOf(slack, { secret: 's' })
    const value = (body: string): unknown => decodeForm(body, 64, form).value
    expect(value('payload=%7B%22type%22%3A%22block_actions%22%7D')).toEqual({
      type: 'block_actions',
    })
    expect(value('command=%2Fdeploy&text=now')).toEqual({ command: '/deploy', text: 'now' })
    expect(() => value('payload=x')).toThrow('JSON')
  })
})
