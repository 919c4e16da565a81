import type { Instant, Revision } from '@gatehouse/core/store'

/** What a process knows about a feed besides the part of it that is in memory. */
export interface FeedKnowledge {
  /** The newest revision that it knows of. Later answers must not be older. */
  readonly known: Revision
  /** Whether other processes may have committed since it asked the database. */
  readonly isDoubtful: boolean
  readonly askedAt: Instant
  /** Whether a query is running, whose answer will decide what is in memory. */
  readonly isAsking: boolean
}

/** Milliseconds after which the database is asked for commits of other processes, even without a notification. */
const pollMs = 1_000

/** Nothing is known. */
export const unknownFeed: FeedKnowledge = {
  known: 0,
  isDoubtful: true,
  askedAt: Number.NEGATIVE_INFINITY,
  isAsking: false,
}

/** Whether no other process is likely to have committed since the database was asked. */
export const isFresh = ({ isDoubtful, askedAt }: FeedKnowledge, now: Instant): boolean =>
  !isDoubtful && now >= askedAt && now - askedAt < pollMs

/** Whether memory that is complete up to `held` has every commit that a reader who needs `needed` must see. */
export const suffices = (
  knowledge: FeedKnowledge,
  held: Revision | undefined,
  { needed = knowledge.known, now }: { readonly needed?: Revision; readonly now: Instant },
): boolean => held !== undefined && held >= needed && isFresh(knowledge, now)

/**
 * Whether a commit of this process goes to memory, which is complete up to `held`: after a gap, commits of another process are
 * missing.
 */
export const follows = (
  { isAsking }: FeedKnowledge,
  held: Revision | undefined,
  revision: Revision,
): boolean => !isAsking && held === revision - 1

/** A query begins. What others commit from now on, it may not see. */
export const asked = ({ known }: FeedKnowledge, now: Instant): FeedKnowledge => ({
  known,
  isDoubtful: false,
  askedAt: now,
  isAsking: true,
})

/** The query ended, and the memory is complete up to this revision. */
export const answered = (knowledge: FeedKnowledge, held: Revision): FeedKnowledge => ({
  ...saw(knowledge, held),
  isAsking: false,
})

/** The query failed. */
export const unanswered = (knowledge: FeedKnowledge): FeedKnowledge => ({
  ...knowledge,
  isAsking: false,
  isDoubtful: true,
})

/** A revision was seen: in the table, or as the number of an own commit. */
export const saw = (knowledge: FeedKnowledge, revision: Revision): FeedKnowledge =>
  revision <= knowledge.known ? knowledge : { ...knowledge, known: revision }

/** Other processes may have committed. */
export const doubted = (knowledge: FeedKnowledge): FeedKnowledge =>
  knowledge.isDoubtful ? knowledge : { ...knowledge, isDoubtful: true }
