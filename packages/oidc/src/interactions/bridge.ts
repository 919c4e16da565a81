import type { AuthContext } from '@gatehouse/core'
import type { AuthorizationBridge, AuthorizedApps } from '@gatehouse/core/auth'
import type { Provider } from 'oidc-provider'
import { createAppNotifier } from '../apps/notify-apps.ts'
import { interactionPath } from '../endpoint-paths.ts'
import type { ProviderSource } from '../exchange/provider-source.ts'
import { afterFlow, hintedUser, parameterOf } from './interaction-record.ts'

type Interaction = InstanceType<Provider['Interaction']>

/** Longer references are not ours. */
const maxReferenceLength = 128

/** Connects flows to authorization requests. A reference in the query of a flow is the id of an interaction. */
export function createBridge(
  auth: AuthContext,
  source: ProviderSource,
  apps: AuthorizedApps,
): AuthorizationBridge {
  const { load } = source
  const place = source.settings
  const find = async (uid: string): Promise<Interaction | undefined> => {
    if (uid.length > maxReferenceLength) return undefined
    const { provider } = await load()
    return provider.Interaction.find(uid)
  }
  const addressOf = (uid: string): string =>
    `${new URL(place.issuer).origin}${place.basePath}${interactionPath}/${uid}`
  return {
    apps,
    sessionsEnded: createAppNotifier(auth, source),
    async resolve(reference) {
      const interaction = await find(reference)
      if (interaction === undefined) return undefined
      const clientId = parameterOf(interaction, 'client_id')
      const hint = parameterOf(interaction, 'login_hint')
      const locales = parameterOf(interaction, 'ui_locales')
      const user = hintedUser(interaction)
      const { name } = interaction.prompt
      return {
        id: interaction.uid,
        redirect_uri: addressOf(interaction.uid),
        // Where people must authenticate, the session of the browser is not offered.
        prompt: [name === 'select_account' ? 'select_account' : 'login'],
        ...(clientId === undefined ? {} : { client_id: clientId }),
        ...(hint === undefined ? {} : { login_hint: hint }),
        ...(locales === undefined ? {} : { ui_locales: locales }),
        ...(user === undefined ? {} : { user_id_hint: user }),
      }
    },
    async finish({ id }, { session_id: session }) {
      const interaction = await find(id)
      if (interaction !== undefined) {
        interaction.result = { ...interaction.result, ...afterFlow(session) }
        await saveInteraction(auth, interaction)
      }
      return addressOf(id)
    },
  }
}

/** Stores an interaction until its end, which does not move. */
export async function saveInteraction(
  { clock }: Pick<AuthContext, 'clock'>,
  interaction: Interaction,
): Promise<void> {
  const seconds = interaction.exp - Math.floor(clock.now() / 1_000)
  if (seconds > 0) await interaction.save(seconds)
}
