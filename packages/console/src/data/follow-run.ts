import { isClientError } from '@gatehouse/client'
import { useEffect, useState } from 'react'
import { createOutputLines, type OutputLine } from '../output/output-lines.ts'
import { hooks } from './webhooks.ts'

/** The output of a run as far as it has come. */
export interface FollowedOutput {
  /** The same list each time; `version` says that it has changed. */
  readonly lines: readonly OutputLine[]
  readonly dropped: number
  readonly version: number
  /** `waiting`: the connection was lost, and is made again. */
  readonly state: 'loading' | 'live' | 'ended' | 'waiting' | 'failed'
  readonly error?: unknown
}

const nothing: FollowedOutput = {
  lines: [],
  dropped: 0,
  version: 0,
  state: 'loading',
}

/** Between two renderings of output that comes. */
const pauseMs = 100
const againMs = 2_000
/** So much is read without a pause in which the page can answer its user. */
const pieceLength = 256 * 1_024

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The output of a run, followed until it ends. */
export function useRunOutput(runId: string, onEnd: () => void): FollowedOutput {
  const [output, setOutput] = useState(nothing)
  const [ended, setEnded] = useState(false)
  useEffect(() => followRun(runId, setOutput, () => setEnded(true)), [runId])
  useEffect(() => {
    if (ended) onEnd()
  }, [ended, onEnd])
  return output
}

/** Follows a run until the returned function is called. A lost connection is made again, from the beginning of the output. */
function followRun(
  runId: string,
  onChange: (output: FollowedOutput) => void,
  onEnd: () => void,
): () => void {
  const end = new AbortController()
  const { signal } = end
  let version = 0
  let isNoted = false
  const follow = async (): Promise<boolean> => {
    const held = createOutputLines()
    const show = (state: FollowedOutput['state'], error?: unknown): void => {
      if (signal.aborted) return
      version++
      onChange({ lines: held.lines, dropped: held.dropped, version, state, error })
    }
    const note = async (): Promise<void> => {
      if (isNoted) return
      isNoted = true
      await pause(pauseMs)
      isNoted = false
      if (!isOver) show('live')
    }
    let isOver = false
    try {
      for await (const event of hooks.follow(runId, { signal })) {
        if (event.type === 'end') {
          isOver = true
          show('ended')
          return true
        }
        if ('run' in event) show('live')
        else {
          for (let at = 0; at < event.text.length; at += pieceLength) {
            held.add(event.type, event.text.slice(at, at + pieceLength))
            if (at > 0) await pause(0)
          }
          void note()
        }
      }
      isOver = true
      show('waiting')
    } catch (error) {
      isOver = true
      const isFinal = isClientError(error) && error.status >= 400 && error.status < 500
      show(isFinal ? 'failed' : 'waiting', error)
      return isFinal
    }
    return false
  }
  const followOn = async (): Promise<void> => {
    while (!signal.aborted && !(await follow())) await pause(againMs)
    if (!signal.aborted) onEnd()
  }
  void followOn()
  return () => end.abort()
}
