import { expect, it } from 'vitest'
import { awsCredentialsFrom } from './aws-credentials.ts'

const sigv4 = { region: '', access_key: '', profile: '', role_arn: '', external_id: '' }
const environment = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AWS_REGION: 'eu-1' }

it('come from the environment', async () => {
  expect(await awsCredentialsFrom(environment)(sigv4)).toEqual({
    accessKeyId: 'id',
    secretAccessKey: 'key',
    region: 'eu-1',
  })
})

it('are missing with a message that holds no secret', async () => {
  const missing = awsCredentialsFrom({ AWS_SECRET_ACCESS_KEY: 'hidden' })(sigv4)
  await expect(missing).rejects.toThrow(/^sigv4: neither the configuration nor the environment/)
  const role = awsCredentialsFrom(environment)({ ...sigv4, role_arn: 'arn:aws:iam::1:role/x' })
  await expect(role).rejects.toThrow('role_arn are not supported')
})
