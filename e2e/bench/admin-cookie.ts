import { adminPassword, type Knowhow } from '../start-knowhow.ts';

/** The session cookie of the administrator, after signing in. */
export async function adminCookie({ url }: Knowhow): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  });
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}
