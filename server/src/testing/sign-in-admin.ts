import { adminPassword, type TestServer, type Visitor } from './start-test-server.ts';

/** A browser of its own in which `admin` is signed in. */
export async function signInAdmin(server: TestServer): Promise<Visitor> {
  const admin = server.visitor();
  await admin('/api/auth/login', { json: { username: 'admin', password: adminPassword } });
  return admin;
}
