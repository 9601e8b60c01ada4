/** Tolerated clock skew, in seconds. */
const toleranceSeconds = 30;
const issuer = 'Knowhow';

/** A base32 secret for an authenticator app. */
export async function newSecret(): Promise<string> {
  return (await library()).generateSecret();
}

/** The `otpauth:` URI for a QR code. */
export async function totpUri(secret: string, username: string): Promise<string> {
  return (await library()).generateURI({ issuer, label: username, secret });
}

/** The time step of a currently valid code (RFC 6238); undefined for a wrong code. */
export async function findTimeStep(secret: string, code: string): Promise<number | undefined> {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) {
    return undefined;
  }
  const result = await (await library()).verify({
    secret,
    token,
    epochTolerance: toleranceSeconds,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** Loaded on demand. */
function library() {
  return import('otplib');
}
