import { expect, it } from 'vitest'
import { createTestApp } from './services.fixture.ts'

const allowed = { Authorization: 'Bearer a token for tests' }

it('runs the command for a request with the token', async () => {
  const { post } = createTestApp()
  const answer = await post('/webhook/deploy', { ref: 'refs/heads/main' }, allowed)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ stdout: 'deploying refs/heads/main\n' })
})

it('refuses a request without the token, and a ref with other characters', async () => {
  const { post } = createTestApp()
  expect((await post('/webhook/deploy', { ref: 'main' })).status).toBe(401)
  expect((await post('/webhook/deploy', { ref: 'main; id' }, allowed)).status).toBe(422)
})
