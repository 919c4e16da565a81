import { alertsCollections } from '@gatehouse/core/alerts'
import { authCollections } from '@gatehouse/core/auth'
import type { Collection } from '@gatehouse/core/store'
import { webhooksCollections } from '@gatehouse/core/webhook'
import { oidcCollections } from '@gatehouse/oidc'

/** The collections of all services: their tables are created together, so that every command finds its own. */
export const allCollections: readonly Collection[] = [
  ...new Set([
    ...alertsCollections,
    ...authCollections,
    ...oidcCollections,
    ...webhooksCollections,
  ]),
]
