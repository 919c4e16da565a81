import { isGatehouseError } from '../errors.ts'
import type { Tracer, TracerSpan, TracerSpanOptions } from './tracer.ts'

/** An operation to trace. */
export interface TracedOperation<T> {
  readonly name: string
  /** Called only if there is a tracer. */
  readonly options: () => TracerSpanOptions
  /** Adds attributes, or a failure, from the result. */
  readonly onResult?: (span: TracerSpan, result: T) => void
}

/** Runs an operation in a span of its own, or as it is without a tracer. An error is the status of the span. */
export function inSpan<T>(
  tracer: Tracer | undefined,
  { name, options, onResult }: TracedOperation<T>,
  work: () => Promise<T>,
): Promise<T> {
  if (tracer === undefined) return work()
  return tracer.startActiveSpan(name, options(), async (span) => {
    try {
      const result = await work()
      onResult?.(span, result)
      return result
    } catch (error) {
      failSpan(span, reasonOf(error))
      throw error
    } finally {
      span.end()
    }
  })
}

/** Marks a span as failed. The reason holds no secret. */
export function failSpan(span: TracerSpan, reason: string, message: string = reason): void {
  span.setStatus({ code: 2, message })
  span.setAttributes({ 'error.type': reason })
}

/** The reason of an error, without its message: that may repeat what a client sent. */
export function reasonOf(error: unknown): string {
  if (isGatehouseError(error)) return error.reason
  return error instanceof Error ? error.name : 'Error'
}
