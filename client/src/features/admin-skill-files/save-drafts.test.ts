import { problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { describe, expect, it } from 'vitest';
import type { Drafts } from './file-drafts.ts';
import { type Saved, type SkillServer, saveDrafts } from './save-drafts.ts';

/** A skill whose checksum counts its writes, like the server's. */
function serve(files: Record<string, string>) {
  const writes: { path: string; ifMatch: string }[] = [];
  let state = 1;
  const skill = () => ({ checksum: `state ${state}` }) as AdminSkillDetail;
  const server: SkillServer & { change: (path: string, text: string | undefined) => void } = {
    readSkill: async () => skill(),
    readText: async (path) => files[path],
    writeText: async (path, text, ifMatch) => {
      writes.push({ path, ifMatch });
      if (ifMatch !== skill().checksum) {
        throw problem('changed-meanwhile', 'It moved on.');
      }
      files[path] = text;
      state += 1;
      return skill();
    },
    change: (path, text) => {
      state += 1;
      if (text === undefined) {
        delete files[path];
      } else {
        files[path] = text;
      }
    },
  };
  return { server, files, writes };
}

const draft = (base: string, text: string) => ({ base, text, checksum: 'state 1' });
const both: Drafts = { 'SKILL.md': draft('a', 'mine'), 'b.md': draft('b', 'mine too') };

async function save(server: SkillServer, drafts: Drafts) {
  const saved: Saved[] = [];
  const conflict = await saveDrafts(drafts, server, (one) => saved.push(one));
  return { conflict, saved: saved.map(({ path, from, skill }) => [path, from, skill.checksum]) };
}

describe('saving drafts', () => {
  it('writes each file against the revision that the previous write created', async () => {
    const { server, files, writes } = serve({ 'SKILL.md': 'a', 'b.md': 'b' });
    const { conflict, saved } = await save(server, both);
    expect(conflict).toBeUndefined();
    expect(files).toEqual({ 'SKILL.md': 'mine', 'b.md': 'mine too' });
    expect(writes.map(({ ifMatch }) => ifMatch)).toEqual(['state 1', 'state 2']);
    expect(saved).toEqual([
      ['SKILL.md', 'state 1', 'state 2'],
      ['b.md', 'state 2', 'state 3'],
    ]);
  });

  it('continues if another user changed another file of the skill', async () => {
    const { server, files } = serve({ 'SKILL.md': 'a', 'b.md': 'b', 'c.md': 'c' });
    server.change('c.md', 'theirs');
    const { conflict } = await save(server, both);
    expect(conflict).toBeUndefined();
    expect(files).toEqual({ 'SKILL.md': 'mine', 'b.md': 'mine too', 'c.md': 'theirs' });
  });

  it('overwrites nothing that another user wrote: returns both versions', async () => {
    const { server, files } = serve({ 'SKILL.md': 'a', 'b.md': 'b' });
    server.change('b.md', 'theirs');
    const { conflict, saved } = await save(server, both);
    expect(conflict).toMatchObject({
      path: 'b.md',
      mine: 'mine too',
      theirs: 'theirs',
      skill: { checksum: 'state 3' },
    });
    expect(saved.map(([path]) => path)).toEqual(['SKILL.md']);
    expect(files['b.md']).toBe('theirs');
  });

  it('reports a deleted file, and does not recreate it without asking', async () => {
    const { server, files } = serve({ 'SKILL.md': 'a' });
    server.change('SKILL.md', undefined);
    const { conflict } = await save(server, { 'SKILL.md': draft('a', 'mine') });
    expect(conflict).toMatchObject({ path: 'SKILL.md', theirs: undefined });
    expect(files).toEqual({});
  });

  it('treats the same change by two users as saved', async () => {
    const { server } = serve({ 'SKILL.md': 'a' });
    server.change('SKILL.md', 'mine');
    const { conflict, saved } = await save(server, { 'SKILL.md': draft('a', 'mine') });
    expect(conflict).toBeUndefined();
    expect(saved).toEqual([['SKILL.md', 'state 2', 'state 2']]);
  });

  it('gives up on a skill that keeps changing', async () => {
    const { server, writes } = serve({ 'SKILL.md': 'a' });
    server.readSkill = async () => ({ checksum: 'long gone' }) as AdminSkillDetail;
    server.change('c.md', 'theirs');
    const saving = save(server, { 'SKILL.md': draft('a', 'mine') });
    await expect(saving).rejects.toMatchObject({ code: 'changed-meanwhile' });
    expect(writes).toHaveLength(3);
  });
});
