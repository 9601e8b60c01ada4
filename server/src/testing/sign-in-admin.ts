import { adminPassword, type TestServer, type Visitor } from './start-test-server.ts';

/** A browser of its own in which `admin` is signed in. */
export async function signInAdmin(server: TestServer): Promise<Visitor> {
  const admin = server.visitor();
  await admin('/api/auth/login', { json: { username: 'admin', password: adminPassword } });
  return admin;
}

/** The cookie of a session of `admin`, for requests that no visitor makes. */
export async function adminCookie({ url }: Pick<TestServer, 'url'>): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
