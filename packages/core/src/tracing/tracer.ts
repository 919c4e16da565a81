/** Attributes of a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Options of a new span. */
export interface TracerSpanOptions {
  attributes?: SpanAttributes
  /** Whether it begins a trace of its own, whatever span is active. */
  root?: boolean
}

/** The part of OpenTelemetry's `Span` that the services use. */
export interface TracerSpan {
  setAttributes(attributes: SpanAttributes): unknown
  /** 2 is the code of an error. */
  setStatus(status: { code: 2; message?: string }): unknown
  end(): void
}

/**
 * The part of OpenTelemetry's `Tracer` that the services use: `trace.getTracer('app')` of `@opentelemetry/api` fits. The active
 * span of a request is the parent of the spans of its operations.
 */
export interface Tracer {
  startSpan(name: string, options: TracerSpanOptions): TracerSpan
  startActiveSpan<T>(name: string, options: TracerSpanOptions, work: (span: TracerSpan) => T): T
}
