import { describe, expect, it } from 'vitest'
import {
  answered,
  asked,
  doubted,
  type FeedKnowledge,
  follows,
  isFresh,
  saw,
  suffices,
  unanswered,
  unknownFeed,
} from './feed-knowledge.ts'

const read = answered(asked(unknownFeed, 10_000), 7)

describe('what is known about a feed', () => {
  it.each<[state: string, knowledge: FeedKnowledge, now: number, fresh: boolean]>([
    ['nothing', unknownFeed, 10_000, false],
    ['just read', read, 10_000, true],
    ['read almost a second ago', read, 10_999, true],
    ['read a second ago', read, 11_000, false],
    ['read by a clock that was set back since', read, 9_999, false],
    ['read, and others may have committed since', doubted(read), 10_000, false],
    [
      'read, and others may have committed meanwhile',
      answered(doubted(asked(read, 10_000)), 8),
      10_000,
      false,
    ],
    ['read in vain', unanswered(asked(read, 10_000)), 10_000, false],
  ])('%s: is it fresh?', (_, knowledge, now, fresh) => {
    expect(isFresh(knowledge, now)).toBe(fresh)
  })

  it.each<[step: string, knowledge: FeedKnowledge, known: number]>([
    ['a read shows more', answered(asked(read, 0), 9), 9],
    ['a read shows less than an own commit', answered(saw(asked(read, 0), 9), 8), 9],
    ['an own commit is newer', saw(read, 8), 8],
    ['an own commit is older', saw(read, 6), 7],
    ['a read fails', unanswered(asked(read, 0)), 7],
  ])('never goes back: %s', (_, knowledge, known) => {
    expect(knowledge.known).toBe(known)
  })

  it.each<
    [state: string, held: number | undefined, needed: number | undefined, now: number, is: boolean]
  >([
    ['all that is known', 7, undefined, 10_000, true],
    ['more than is known', 8, undefined, 10_000, true],
    ['less than is known', 6, undefined, 10_000, false],
    ['what was known when the call began', 6, 6, 10_000, true],
    ['less than that', 5, 6, 10_000, false],
    ['all that is known, for too long', 7, undefined, 11_000, false],
    ['nothing', undefined, 0, 10_000, false],
  ])('memory that holds %s: does it suffice?', (_, held, needed, now, expected) => {
    expect(suffices(read, held, needed === undefined ? { now } : { needed, now })).toBe(expected)
  })

  it.each<[state: string, knowledge: FeedKnowledge, held: number | undefined, follows: boolean]>([
    ['right after what is in memory', read, 7, true],
    ['after a commit of another process', read, 6, false],
    ['that is in memory already', read, 8, false],
    ['before anything was read', unknownFeed, undefined, false],
    ['while a query decides what is in memory', asked(read, 10_000), 7, false],
  ])('a commit %s: does it go to memory?', (_, knowledge, held, expected) => {
    expect(follows(knowledge, held, 8)).toBe(expected)
  })
})
