import { randomUUID } from 'node:crypto';
import { conversationSchema } from '@knowhow/shared/chat/conversations';
import { adminAppsApi, adminPromptsApi } from '@knowhow/shared/config/admin-config';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import type { PackedFile } from '@knowhow/skill-format';
import { expect } from 'vitest';
import { writeArchive } from '../modules/skills/archives/write-archive.ts';
import { getFilesChecksum } from '../platform/lib/files-checksum.ts';
import { createZip } from './backup-calls.ts';
import { administeringUsers } from './crash-users.ts';
import { type CrashWriter, versions } from './crash-versions.ts';
import { parseAnswer } from './parse-answer.ts';
import { skillFile } from './skill-folder.ts';

export function newWriters(): Record<string, CrashWriter> {
  return {
    switching: switching(),
    deciding: deciding(),
    configuring: configuring(),
    editing: editing(),
    importing: importing(),
    'creating and deleting': creatingAndDeleting(),
    restoring: restoring(),
    chatting: chatting(),
    'administering users': administeringUsers(),
  };
}

function switching(): CrashWriter {
  const path = '/api/admin/skills/release-notes';
  return versions(
    (admin, version) =>
      admin(path, { method: 'PUT', json: { priority: version, enabled: version % 2 === 0 } }),
    async (admin) => {
      const { priority, status } = await parseAnswer(adminSkillsApi.get.response, admin(path));
      expect(status).toBe(priority % 2 === 0 ? 'on' : 'off');
      return priority;
    },
  );
}

/** Writes to `skills.json` and an app's file, atomically. */
function deciding(): CrashWriter {
  const path = '/api/admin/skills/meeting-notes';
  const appsOf = (version: number) => (version % 2 === 1 ? ['deciding'] : []);
  const app = { id: 'deciding', name: 'D', system: 'Go.', skills: [] };
  return versions(
    async (admin, version) => {
      if (version === 1) {
        await admin('/api/admin/apps/deciding', { method: 'PUT', json: app });
      }
      return admin(path, { method: 'PUT', json: { priority: version, apps: appsOf(version) } });
    },
    async (admin) => {
      const skill = await parseAnswer(adminSkillsApi.get.response, admin(path));
      const { priority, listedInApps } = skill;
      expect(listedInApps.filter((id) => id === 'deciding')).toEqual(appsOf(priority));
      return priority;
    },
  );
}

function configuring(): CrashWriter {
  const path = '/api/admin/apps/crashing';
  return versions(
    (admin, version) =>
      admin(path, {
        method: 'PUT',
        json: { id: 'crashing', name: 'C', system: 'Go.', order: version },
      }),
    async (admin, tried) => {
      const response = await admin(path);
      if (tried < 2 && response.status === 404) {
        return 0;
      }
      return Number((await parseAnswer(adminAppsApi.get.response, response)).config?.order);
    },
  );
}

function editing(): CrashWriter {
  const path = '/api/admin/skills/meeting-notes';
  return versions(
    (admin, version) =>
      admin(`${path}/files/SKILL.md`, {
        method: 'PUT',
        body: skillFile('meeting-notes', `Turns notes into decisions, version ${version}.`),
      }),
    async (admin) => {
      const { description } = await parseAnswer(adminSkillsApi.get.response, admin(path));
      return Number(/version (\d+)/.exec(description)?.[1] ?? 0);
    },
  );
}

/** Odd versions have different files than even ones. */
function filesOf(version: number): PackedFile[] {
  const file = (path: string, text: string) => ({
    path,
    bytes: Buffer.from(text),
    executable: path.endsWith('.sh'),
  });
  return [
    file('SKILL.md', skillFile('imported', `Comes in an archive, version ${version}.`)),
    ...Array.from({ length: 10 }, (_, at) =>
      file(`own/${version % 2}-${at}.sh`, `${version}\n`.repeat(500)),
    ),
  ];
}

function importing(): CrashWriter {
  const path = '/api/admin/skills/imported';
  return versions(
    async (admin, version) =>
      admin('/api/admin/skills/import?overwrite=true', {
        method: 'POST',
        body: await writeArchive('imported', filesOf(version), 'zip'),
        headers: { 'content-type': 'application/zip' },
      }),
    async (admin, tried) => {
      const response = await admin(path);
      if (tried < 2 && response.status === 404) {
        return 0;
      }
      const skill = await parseAnswer(adminSkillsApi.get.response, response);
      const version = Number(/version (\d+)/.exec(skill.description)?.[1]);
      expect(skill.checksum).toBe(await getFilesChecksum(filesOf(version)));
      return version;
    },
  );
}

/** Odd versions exist, even ones do not. */
function creatingAndDeleting(): CrashWriter {
  const fresh = { name: 'comes-and-goes', description: 'Comes and goes.', body: 'Do it.' };
  const path = `/api/admin/skills/${fresh.name}`;
  return versions(
    (admin, version) =>
      version % 2 === 1
        ? admin('/api/admin/skills', { json: fresh })
        : admin(path, { method: 'DELETE' }),
    async (admin, tried) => {
      const { status } = await admin(path);
      return (tried % 2 === 1) === (status === 200) ? tried : tried - 1;
    },
  );
}

/** Restores only a part of a backup, so that other writers are not affected. */
function restoring(): CrashWriter {
  const path = '/api/admin/prompts/restored';
  const prompt = { id: 'restored', name: 'R', prompt: 'Go.' };
  return versions(
    (admin, version) =>
      admin('/api/admin/backup/import?only=prompts', {
        method: 'POST',
        body: createZip({ 'contents/prompts/restored.json': { ...prompt, order: version } }),
        headers: { 'content-type': 'application/zip' },
      }),
    async (admin, tried) => {
      const response = await admin(path);
      if (tried < 2 && response.status === 404) {
        return 0;
      }
      return Number((await parseAnswer(adminPromptsApi.get.response, response)).config?.order);
    },
  );
}

const wholeAnswer = '0 1 2 3 4 5 6 7 8 9 ';

interface Begun {
  id: string;
  /** The first event arrived: the message is stored. */
  started: boolean;
  /** The last event arrived: so is the answer. */
  done: boolean;
}

function chatting(): CrashWriter {
  let begun: Begun[] = [];
  return {
    write: async (admin) => {
      const chat: Begun = { id: randomUUID(), started: false, done: false };
      begun.push(chat);
      const response = await admin(`/api/apps/chat/chat/${chat.id}`, { json: { message: 'Go.' } });
      expect(response.status).toBe(200);
      for await (const chunk of response.body ?? []) {
        chat.started = true;
        chat.done ||= Buffer.from(chunk).includes('event: done');
      }
    },
    check: async (admin) => {
      for (const { id, started, done } of begun) {
        const response = await admin(`/api/conversations/${id}`);
        if (!started && response.status === 404) {
          continue;
        }
        const { messages } = conversationSchema.parse(await response.json());
        expect(messages[0]).toMatchObject({ role: 'user', content: 'Go.' });
        const finished = { status: 'complete', content: wholeAnswer };
        expect(messages[1]).toMatchObject(done ? finished : { role: 'assistant' });
        expect(messages[1]).not.toMatchObject({ status: 'running' });
      }
      begun = [];
    },
  };
}
