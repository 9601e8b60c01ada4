import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { type CrashWriter, versions } from './crash-versions.ts';
import { parseAnswer } from './parse-answer.ts';
import type { Visitor } from './start-test-server.ts';

const path = '/api/admin/users';
const username = 'comes-and-stays';

/** Creates a user and then renames it with each version. */
export function administeringUsers(): CrashWriter {
  return versions(
    async (admin, version) => {
      const user = await find(admin);
      const name = `Version ${version}`;
      return user
        ? admin(`${path}/${user.id}`, { method: 'PUT', json: { name } })
        : admin(path, { json: { username, name, groups: [], password: 'a long password' } });
    },
    async (admin) => Number((await find(admin))?.name.split(' ')[1] ?? 0),
  );
}

async function find(admin: Visitor) {
  const answer = admin(`${path}?query=${username}`);
  return (await parseAnswer(adminUsersApi.list.response, answer)).items[0];
}
