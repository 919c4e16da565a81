import type { AuthContext } from '@gatehouse/core'
import type { TypedCollection } from '@gatehouse/core/store'
import { type ModelRecord, modelCollections, recordId } from './model-record.ts'

/** How many tokens of a grant are revoked in one commit. */
const maxRevoked = 500

/** The parts of the service that the adapter uses. */
export type AdapterPorts = Pick<AuthContext, 'storage' | 'clock' | 'secrets'>

/** Ends a grant with all its tokens. */
export async function revokeGrant(auth: AdapterPorts, grantId: string): Promise<void> {
  // First the grant, without which no token counts, even one that another request is about to store.
  await auth.storage.commit([modelCollections.Grant.remove(recordId('Grant', grantId))])
  await revokeTokens(auth, grantId)
}

/** Removes all tokens of a grant. */
export async function revokeTokens(
  ports: Pick<AdapterPorts, 'storage'>,
  grantId: string,
): Promise<void> {
  for (const collection of Object.values<TypedCollection<ModelRecord>>(modelCollections)) {
    await revokeTokensOf(ports, collection, grantId)
  }
}

/** Removes the records of one kind. */
export async function revokeTokensOf(
  { storage }: Pick<AdapterPorts, 'storage'>,
  collection: TypedCollection<ModelRecord>,
  grantId: string,
): Promise<void> {
  if (!('grant_id' in collection.fields)) return
  for (;;) {
    const query = { by: 'grant_id', equals: grantId, limit: maxRevoked } as const
    const found = await collection.find(storage, query)
    if (found.length > 0) await storage.commit(found.map(({ id }) => collection.remove(id)))
    if (found.length < maxRevoked) return
  }
}
