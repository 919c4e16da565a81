import type { Flow } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { choicesOf } from '../src/pages/sign-in/choices.ts'

/** A flow at a prompt that remembers its inputs. */
function flowAt(prompt: Flow['prompt'], data: object): { flow: Flow; inputs: unknown[] } {
  const inputs: unknown[] = []
  const submit = async (input: unknown): Promise<unknown> => inputs.push(input)
  // The rules read only these members.
  const flow = { prompt, action: { data }, submit } as unknown as Flow
  return { flow, inputs }
}

describe('the ways to answer a prompt of a sign-in', () => {
  it.each([
    [['email', 'phone', 'username'], 'maya@x.example', 'email'],
    [['email', 'phone', 'username'], ' +47 912-34567', 'phone'],
    [['email', 'phone', 'username'], 'maya', 'username'],
    [['email'], 'maya', 'email'],
    [['phone', 'oauth'], '12345', 'phone'],
  ])('with %j: %j is a login ID of the type %s', async (types, typed, identification) => {
    const options = types.map((type) => ({ identification: type }))
    const { flow, inputs } = flowAt('identification_data', { options })
    const [choice, ...others] = choicesOf(flow)
    expect(others).toEqual([])
    await choice?.submit(typed)
    expect(inputs).toEqual([{ identification, login_id: typed.trim() }])
  })

  it('are all factors that can be typed or sent', async () => {
    const sent = { masked_display_name: 'm***@x.example', channels: ['email'] }
    const { flow, inputs } = flowAt('authentication_data', {
      options: [
        { authentication: 'primary_passkey' },
        { authentication: 'primary_password' },
        { authentication: 'primary_oob_otp_email', ...sent },
        { authentication: 'secondary_totp' },
        { authentication: 'recovery_code' },
      ],
    })
    const choices = choicesOf(flow)
    expect(choices.map(({ name, asked, target }) => [name, asked, target])).toEqual([
      ['primary_password', 'password', undefined],
      ['primary_oob_otp_email', 'none', 'm***@x.example'],
      ['secondary_totp', 'code', undefined],
      ['recovery_code', 'recovery_code', undefined],
    ])
    for (const choice of choices) await choice.submit(' 123 ')
    expect(inputs).toEqual([
      { authentication: 'primary_password', password: ' 123 ' },
      { authentication: 'primary_oob_otp_email', index: 2, channel: 'email' },
      { authentication: 'secondary_totp', code: '123' },
      { authentication: 'recovery_code', recovery_code: '123' },
    ])
  })

  it('are the channels, then the code', async () => {
    const channels = ['sms', 'whatsapp']
    const asked = flowAt('select_oob_otp_channels_data', { channels, masked_claim_value: '+47***' })
    await choicesOf(asked.flow)[1]?.submit('')
    expect(asked.inputs).toEqual([{ channel: 'whatsapp' }])
    const code = flowAt('verify_oob_otp_data', { otp_form: 'code', masked_claim_value: '+47***' })
    await choicesOf(code.flow)[0]?.submit('123456 ')
    expect(code.inputs).toEqual([{ code: '123456' }])
  })

  it('are none where the page of an app is needed', () => {
    const link = { otp_form: 'link', masked_claim_value: 'm***' }
    expect(choicesOf(flowAt('verify_oob_otp_data', link).flow)).toEqual([])
    expect(choicesOf(flowAt('create_passkey_data', {}).flow)).toEqual([])
    const options = [{ identification: 'oauth' }]
    expect(choicesOf(flowAt('identification_data', { options }).flow)).toEqual([])
  })
})
