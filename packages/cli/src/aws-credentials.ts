import type { AlertsOptions } from '@gatehouse/core'

/**
 * Credentials for AWS from `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN` and `AWS_REGION`, read at every
 * call. Profiles and roles need the SDK of AWS, which is not used here.
 *
 * @see AWS documentation, "Environment variables"
 */
export function awsCredentialsFrom(
  environment: Readonly<Record<string, string | undefined>>,
): NonNullable<AlertsOptions['awsCredentials']> {
  return async ({ profile, role_arn }) => {
    if (profile !== '' || role_arn !== '') {
      throw new Error('sigv4: profile and role_arn are not supported; set an access key')
    }
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment
    if (!accessKeyId || !secretAccessKey) {
      throw new Error('sigv4: neither the configuration nor the environment has an access key')
    }
    const { AWS_SESSION_TOKEN: sessionToken, AWS_REGION: region } = environment
    return {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken ? { sessionToken } : {}),
      ...(region ? { region } : {}),
    }
  }
}
