import { adminApi } from '@knowhow/shared/config/admin';
import type { ScriptedChat } from './scripted-chat.ts';
import { signInAdmin } from './sign-in-admin.ts';
import type { Visitor } from './start-test-server.ts';
import { waitFor } from './wait-for.ts';

/**
 * Waits until skills are found by what they say: where a catalogue has no room for all, it begins then with
 * `first`, which the app's own description brings up. Answers an administrator's browser.
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
