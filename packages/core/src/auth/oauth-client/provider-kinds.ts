import { adfs } from './kinds/adfs.ts'
import { apple } from './kinds/apple.ts'
import { azureadb2c } from './kinds/azureadb2c.ts'
import { azureadv2 } from './kinds/azureadv2.ts'
import { facebook } from './kinds/facebook.ts'
import { github } from './kinds/github.ts'
import { google } from './kinds/google.ts'
import { linkedin } from './kinds/linkedin.ts'
import { oidc } from './kinds/oidc.ts'
import { wechat } from './kinds/wechat.ts'
import type { OAuthProviderType } from './oauth-provider.ts'
import type { ProviderKind } from './provider-kind.ts'

/** Every kind of provider that a configuration can name. */
export const providerKinds: { readonly [Type in OAuthProviderType]: ProviderKind } = {
  google,
  facebook,
  github,
  linkedin,
  azureadv2,
  azureadb2c,
  adfs,
  apple,
  wechat,
  oidc,
}
