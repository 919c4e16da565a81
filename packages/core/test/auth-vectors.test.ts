import { authCollections, type Storage } from '@gatehouse/core'
import { createManualClock, type ManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createPostgresStorage, migratePostgres } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dropDatabase } from '../../../test-support/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/use-postgres.ts'
import { authVectorFiles, readAuthVectors } from './auth-vector.ts'
import { runAuthVector } from './auth-vector-runner.ts'
import { adapters, type SwitchingServer, startServer } from './servers.ts'

/** Makes an empty storage. */
type StorageFactory = (clock: ManualClock) => Promise<Storage>

const stores: Readonly<Record<string, StorageFactory>> = {
  memory: async (clock) => createMemoryStorage({ clock }),
  sqlite: async (clock) => createSqliteStorage({ filename: ':memory:', clock }),
}

const start = Date.parse('2026-03-04T10:00:00Z')

/** Runs every vector through an adapter, each on an empty storage. */
function describeVectors(adapter: string, store: string, createStorage: StorageFactory): void {
  describe(`authentication flows through ${adapter} on ${store}`, () => {
    let server: SwitchingServer
    beforeAll(async () => {
      server = await startServer(adapter, { sockets: true })
    })
    afterAll(() => server.close())

    describe.each(authVectorFiles)('%s', (file) => {
      const vectors = readAuthVectors(file)
      it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
        const clock = createManualClock(start)
        const storage = await createStorage(clock)
        try {
          await runAuthVector(vector, { server, storage, clock })
        } finally {
          await storage.close()
        }
      })
    })
  })
}

/** What the service refuses requests with. */
const reasons = [
  'AccountLockout',
  'AuthenticationFlowDifferentUserID',
  'AuthenticationFlowFlowNotFound',
  'AuthenticationFlowInvalidTargetStep',
  'AuthenticationFlowNoPublicSignup',
  'AuthenticationFlowNoUserID',
  'AuthenticationFlowNotAllowed',
  'AuthenticationFlowNotFound',
  'AuthenticationFlowStepNotFound',
  'BadRequest',
  'ChangePasswordFailed',
  'DisabledUser',
  'ForgotPasswordFailed',
  'HTTPSRequired',
  'HookDeliveryUnknownFailure',
  'HookDisallowed',
  'HookInvalidResponse',
  'InvalidCredentials',
  'InvalidOTPCode',
  'InvalidVerificationCode',
  'InvariantViolated',
  'JSONTooLarge',
  'MethodNotAllowed',
  'OTPDeliveryUnexpectedError',
  'PasswordPolicyViolated',
  'PasswordResetFailed',
  'RateLimited',
  'SMSNotSupported',
  'ScheduledDeletionByAdmin',
  'TooManyRequest',
  'UnexpectedError',
  'UserNotFound',
  'UserOutsideValidPeriod',
  'ValidationFailed',
]

it.each(reasons)('some vector is refused with %s', (reason) => {
  const texts = authVectorFiles.map((file) => JSON.stringify(readAuthVectors(file)))
  expect(texts.join()).toContain(`"reason":"${reason}"`)
})

for (const adapter of adapters) {
  for (const [store, createStorage] of Object.entries(stores)) {
    describeVectors(adapter, store, createStorage)
  }
}

describeWithPostgres('on PostgreSQL', () => {
  let url = ''
  let pool: pg.Pool
  beforeAll(async () => {
    url = await freshDatabase()
    pool = new pg.Pool({ connectionString: url, max: 5 })
    await migratePostgres({ database: pool, collections: authCollections })
  })
  afterAll(async () => {
    await pool.end()
    await dropDatabase(url)
  })

  /** Emptied by hand: to make the tables anew for each vector would take most of the time. */
  const createStorage: StorageFactory = async (clock) => {
    const deletions = authCollections.map(({ name }) => `DELETE FROM gatehouse_${name}`)
    await pool.query(deletions.join(';'))
    return createPostgresStorage({ database: pool, clock })
  }
  for (const adapter of adapters) describeVectors(adapter, 'postgres', createStorage)
})
