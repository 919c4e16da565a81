export type { FlowField, FlowForm } from './forms.ts'
export { Account, type AccountProps, SignIn, type SignInProps } from './pages.tsx'
export {
  GatehouseProvider,
  type GatehouseProviderProps,
  type SessionState,
  SignedIn,
  SignedOut,
  useSession,
} from './session.tsx'
export { type RunningFlow, type StepForm, type UseFlowOptions, useFlow } from './use-flow.ts'
