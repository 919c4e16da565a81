import { expect, it } from 'vitest'
import type { Logger } from '../../logger.ts'
import { authCollections } from '../collections.ts'
import { totpCode } from '../kinds/totp/totp.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import { stateOf, testAuth } from '../service.fixture.ts'
import { eventsOf, maya, signedIn } from './account.fixture.ts'
import { removeAuthenticator } from './remove-authenticator.ts'

const another = 'copper-meadow-58'
const spare = 'spare@harborlight.example'

it('no secret of an account change is in the storage in clear, in the log, in an error or in an event', async () => {
  const output: string[] = []
  const note = (fields: object, message: string): void => {
    output.push(JSON.stringify(fields), message)
  }
  const logger: Logger = { debug: note, info: note, warn: note, error: note }
  const world = testAuth({}, { logger })
  const person = await signedIn(world)
  const secrets: string[] = [maya.password, another, person.request.cookie.replace('session=', '')]

  const app = await person.begin({ create_authenticator: ['secondary_totp'] })
  const set = stateOf(await app.input({ authentication: 'secondary_totp' }))
  const secret = String(set.action.data.secret)
  output.push(JSON.stringify(await app.input({ code: '000000' })).replaceAll(secret, ''))
  const key = decodeBase32(secret) ?? new Uint8Array()
  const code = totpCode(key, Math.floor(world.clock.now() / 30_000))
  const shown = stateOf(await app.input({ code }))
  secrets.push(secret, ...(shown.action.data.recovery_codes as readonly string[]))
  stateOf(await app.input({ confirm_recovery_code: true }))

  const password = await person.begin({ change_password: 'primary' })
  const guessed = { authentication: 'primary_password', password: 'guessed-it-99' }
  output.push(JSON.stringify(await password.input(guessed)))
  stateOf(await password.input({ ...guessed, password: maya.password }))
  output.push(JSON.stringify(await password.input({ new_password: maya.password })))
  stateOf(await password.input({ new_password: another }))

  const address = await person.begin({ add_identity: 'email' })
  stateOf(await address.input({ identification: 'email', login_id: spare }))
  secrets.push('guessed-it-99', address.token)
  output.push(JSON.stringify(await eventsOf(world)))
  const { authenticators } = await person.details()
  const totp = authenticators.find(({ type }) => type === 'totp')
  await removeAuthenticator(world.auth, person.session, totp?.id ?? '')
  output.push(JSON.stringify(await eventsOf(world)))
  for (const collection of authCollections) {
    output.push(JSON.stringify(await world.storage.find(collection, { by: 'id', limit: 1_000 })))
  }
  const text = output.join('\n')
  expect(text).toContain('authenticator.removed')
  expect(secrets.filter((one) => text.includes(one))).toEqual([])
})
