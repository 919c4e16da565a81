import { failSpan, inSpan } from '../../../tracing/in-span.ts'
import type { SpanAttributes } from '../../../tracing/tracer.ts'
import type { AuthContext } from '../../context.ts'
import type { FlowResult } from '../flow-result.ts'

/** Traces a request to a flow. The span has the flow and its next step, but nothing that the user entered. */
export function traceFlow(
  { tracer }: Pick<AuthContext, 'tracer'>,
  name: 'auth.flow.create' | 'auth.flow.advance',
  request: () => Promise<FlowResult>,
): Promise<FlowResult> {
  return inSpan(
    tracer,
    {
      name,
      options: () => ({}),
      onResult(span, result) {
        span.setAttributes(flowAttributes(result))
        if (!result.ok) failSpan(span, result.error.reason)
      },
    },
    request,
  )
}

function flowAttributes({ result }: FlowResult): SpanAttributes {
  if (result === undefined) return {}
  const { type, name, action } = result
  return {
    'gatehouse.auth.flow.type': type,
    'gatehouse.auth.flow.name': name,
    'gatehouse.auth.flow.action': action.type,
  }
}
