export { Account, type AccountProps, SignIn, type SignInProps } from './pages.tsx'
export {
  GatehouseProvider,
  type GatehouseProviderProps,
  type SessionState,
  SignedIn,
  SignedOut,
  useSession,
} from './session.tsx'
export { type RunningFlow, type UseFlowOptions, useFlow } from './use-flow.ts'
