/** A clock may be that much off, in seconds. */
const tolerance = 30;
const issuer = 'Knowhow';

/** A secret for an app of codes, in base32. */
export async function newSecret(): Promise<string> {
  return (await library()).generateSecret();
}

/** What such an app reads, mostly from a QR code. */
export async function uriOf(secret: string, username: string): Promise<string> {
  return (await library()).generateURI({ issuer, label: username, secret });
}

/** The time step of a code that is right about now, by RFC 6238; undefined for one that is not. */
export async function stepOfCode(secret: string, code: string): Promise<number | undefined> {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) {
    return undefined;
  }
  const result = await (await library()).verify({ secret, token, epochTolerance: tolerance });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** Loaded when somebody wants it. */
function library() {
  return import('otplib');
}
