import { adminPassword, type TestServer, type Visitor } from './start-test-server.ts';

/** A visitor signed in as `admin`. */
export async function signInAdmin(server: TestServer): Promise<Visitor> {
  const admin = server.visitor();
  await admin('/api/auth/login', { json: { username: 'admin', password: adminPassword } });
  return admin;
}

/** A session cookie of `admin`, for requests without a visitor. */
export async function adminCookie({ url }: Pick<TestServer, 'url'>): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
