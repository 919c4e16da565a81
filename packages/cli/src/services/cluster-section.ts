import { filledText, mapping, optional, type Schema } from '@gatehouse/core/document'

/** The `cluster` section of a service that takes part in a cluster. */
export interface ClusterSection {
  /** Default: a new name at every start. */
  readonly name: string | undefined
  /** Default: the address the server listens on. */
  readonly address: string | undefined
}

/** The schema of the section. */
export const clusterSection: Schema<ClusterSection> = mapping<ClusterSection>(
  {
    name: optional(filledText, 'The name of this server. Default: a new one at every start.'),
    address: optional(
      filledText,
      'The address that other servers see. Default: the address the server listens on.',
    ),
  },
  { title: 'Cluster' },
)
