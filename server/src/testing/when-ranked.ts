import { adminApi } from '@knowhow/shared/config/admin';
import type { ScriptedChat } from './scripted-chat.ts';
import { signInAdmin } from './sign-in-admin.ts';
import type { Visitor } from './start-test-server.ts';
import { waitFor } from './wait-for.ts';

/**
 * Waits until skills are indexed: a truncated catalogue then starts with `first`, which matches the
 * app's description. Returns a visitor signed in as admin.
 */
export async function whenRanked(
  { server }: Pick<ScriptedChat, 'server'>,
  first: string,
): Promise<Visitor> {
  const admin = await signInAdmin(server);
  await waitFor(async () => {
    const json = { app: 'chat', groups: ['anonymous'] };
    const answer = await admin('/api/admin/try-as', { json });
    return adminApi.tryAs.response.parse(await answer.json()).catalogue.includes(first);
  });
  return admin;
}
