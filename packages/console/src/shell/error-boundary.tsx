import { Component, type ReactNode } from 'react'
import { Failure } from '../widgets/states.tsx'

/** Shows a fault of a page instead of an empty window. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === undefined ? (
      this.props.children
    ) : (
      <Failure error={error} onRetry={() => location.reload()} />
    )
  }
}
