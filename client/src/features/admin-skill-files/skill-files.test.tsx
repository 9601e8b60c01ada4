import { EditorView } from '@codemirror/view';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Notifications } from '@mantine/notifications';
import { act, configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { adminSkill } from '../../testing/admin-skill.ts';
import { refusal, renderWithServer, type SentRequest } from '../../testing/render-with-server.tsx';
import { uploadsByFetch } from '../../testing/uploads-by-fetch.ts';
import { SkillFiles } from './skill-files.tsx';

configure({ asyncUtilTimeout: 8000 });

const path = '/api/admin/skills/pdf';
const status = {
  version: '1.2.3',
  warnings: [],
  publishing: { mode: 'direct', fourEyes: false, files: 'direct', byCategory: {} },
};
const isSaved = (request: SentRequest) => request.line.startsWith('PUT');

/** A server whose skill has one file more than `adminSkill`, and a revision that counts its writes. */
function serve(texts: Record<string, string>, skill = adminSkill()) {
  let state = 1;
  const current = () => ({ ...skill, checksum: `c${state}` });
  const write = (file: string) => (request: SentRequest) => {
    if (request.ifMatch !== `"c${state}"`) {
      return refusal(412, 'changed-meanwhile');
    }
    texts[file] = String(request.body);
    state += 1;
    return current();
  };
  const files = Object.keys(texts).flatMap((file) => [
    [`GET ${path}/files/${file}`, () => new Response(texts[file])],
    [`PUT ${path}/files/${file}`, write(file)],
  ]);
  const report = { format: 'skill.md', skills: [], leftOut: [] };
  const answers = {
    ...Object.fromEntries(files),
    [`GET ${path}`]: current,
    'GET /api/skill-drafts/pdf': () => refusal(404, 'not-found'),
    'GET /api/admin/status': status,
    'POST /api/admin/skills/validate': report,
  };
  return {
    answers,
    texts,
    changeByOtherUser: (file: string, text: string) => {
      texts[file] = text;
      state += 1;
    },
  };
}

function Page({ skill: first }: { skill: AdminSkillDetail }) {
  const [skill, setSkill] = useState(first);
  const [open, setOpen] = useState<string>();
  return (
    <>
      <SkillFiles skill={skill} path={open} onOpen={setOpen} onChanged={setSkill} />
      <Notifications />
    </>
  );
}

function show(texts: Record<string, string>, skill?: AdminSkillDetail) {
  const { answers, ...server } = serve(texts, skill);
  uploadsByFetch();
  const writes = renderWithServer(<Page skill={skill ?? adminSkill()} />, answers);
  return { ...server, writes, user: userEvent.setup() };
}

const editorOf = async (file: string) => {
  const field = await screen.findByRole('textbox', { name: file });
  const view = EditorView.findFromDOM(field);
  expect(view).not.toBeNull();
  return view as EditorView;
};
const write = async (file: string, text: string) => {
  const view = await editorOf(file);
  act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
};
const textIn = async (file: string) => (await editorOf(file)).state.sliceDoc();
const rowOf = (name: RegExp) => screen.getByRole('treeitem', { name });
const saveButton = () => screen.getByRole('button', { name: /^Save(?! as draft)/ });

describe('the files of a skill', () => {
  it('are saved together, each against the revision that the previous write created', async () => {
    const { user, writes, texts } = show({ 'SKILL.md': 'a', 'scripts/fill.py': 'b' });
    await write('SKILL.md', 'a, changed');
    await user.click(rowOf(/fill\.py/));
    await write('scripts/fill.py', 'b, changed');
    expect(rowOf(/SKILL\.md\s*Not saved/)).toBeTruthy();
    expect(rowOf(/fill\.py\s*Not saved/)).toBeTruthy();
    expect(saveButton().textContent).toBe('Save all (2)');

    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText(/2 files saved/)).toBeTruthy();
    expect(writes.filter(isSaved).map(({ line, ifMatch }) => [line, ifMatch])).toEqual([
      [`PUT ${path}/files/SKILL.md`, '"c1"'],
      [`PUT ${path}/files/scripts/fill.py`, '"c2"'],
    ]);
    expect(texts).toEqual({ 'SKILL.md': 'a, changed', 'scripts/fill.py': 'b, changed' });
    expect(screen.queryByText('Not saved')).toBeNull();
    expect(saveButton().hasAttribute('disabled')).toBe(true);
  });

  it('are unchanged again when an edit is reverted by hand', async () => {
    show({ 'SKILL.md': 'a' });
    await write('SKILL.md', 'b');
    expect(saveButton().hasAttribute('disabled')).toBe(false);
    await write('SKILL.md', 'a');
    expect(saveButton().hasAttribute('disabled')).toBe(true);
  });

  it('restore drafts after a reload, and say so', async () => {
    sessionStorage.setItem(
      'knowhow-draft:files:pdf',
      JSON.stringify({ 'SKILL.md': { base: 'a', text: 'mine', checksum: 'c1' } }),
    );
    const { user } = show({ 'SKILL.md': 'a' });
    expect(await textIn('SKILL.md')).toBe('mine');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(async () => expect(await textIn('SKILL.md')).toBe('a'));
    await waitFor(() => expect(sessionStorage.getItem('knowhow-draft:files:pdf')).toBeNull());
  });

  it('are replaced by uploads with the same path, after a notice', async () => {
    const { user, writes } = show({ 'SKILL.md': 'a' });
    await editorOf('SKILL.md');
    const field = document.querySelector<HTMLInputElement>('input[type=file]');
    const chosen = [new File(['b'], 'SKILL.md'), new File(['c'], 'notes.')];
    await user.upload(field as HTMLInputElement, chosen);
    const dialog = within(await screen.findByRole('dialog', { name: 'Upload 2 files' }));
    const [first, second] = dialog.getAllByRole('listitem');
    expect(first?.textContent).toContain('Replaces the existing file.');
    expect(second?.textContent).toMatch(/or end with a space or dot/);
    await user.click(dialog.getByRole('button', { name: 'Upload 1 file' }));
    await waitFor(() =>
      expect(writes.filter(isSaved)).toMatchObject([
        { line: `PUT ${path}/files/SKILL.md`, body: 'b' },
      ]),
    );
  });

  it('are read-only if the skill is not writable', async () => {
    show({ 'SKILL.md': 'a' }, adminSkill({ writable: false }));
    const field = (await editorOf('SKILL.md')).contentDOM;
    expect(field.getAttribute('aria-readonly')).toBe('true');
    expect(screen.queryByRole('button', { name: /Save|Add a file|Upload/ })).toBeNull();
  });
});

describe('a file that another user changed in the meantime', () => {
  async function collide() {
    const shown = show({ 'SKILL.md': 'a' });
    await write('SKILL.md', 'mine');
    shown.changeByOtherUser('SKILL.md', 'theirs');
    await shown.user.click(saveButton());
    const dialog = await screen.findByRole('dialog', { name: /Someone else changed SKILL\.md/ });
    return { ...shown, choose: within(dialog) };
  }

  it('is shown next to ours, and nothing is written before a choice', async () => {
    const { choose, texts } = await collide();
    expect(choose.getByRole('group', { name: 'Server version' }).textContent).toBe('theirs');
    expect(choose.getByRole('group', { name: 'My version, not saved' }).textContent).toBe('mine');
    expect(texts['SKILL.md']).toBe('theirs');
  });

  it('is replaced by ours on request', async () => {
    const { choose, user, texts } = await collide();
    await user.click(choose.getByRole('button', { name: 'Keep mine' }));
    expect(await screen.findByText(/SKILL\.md saved/)).toBeTruthy();
    expect(texts['SKILL.md']).toBe('mine');
    expect(await textIn('SKILL.md')).toBe('mine');
  });

  it('replaces ours on request', async () => {
    const { choose, user, texts } = await collide();
    await user.click(choose.getByRole('button', { name: 'Use server version' }));
    await waitFor(async () => expect(await textIn('SKILL.md')).toBe('theirs'));
    expect(texts['SKILL.md']).toBe('theirs');
    expect(saveButton().hasAttribute('disabled')).toBe(true);
  });

  it('waits, and keeps ours, until the user chooses', async () => {
    const { choose, user } = await collide();
    await user.click(choose.getByRole('button', { name: 'Close' }));
    expect(await textIn('SKILL.md')).toBe('mine');
    await user.click(saveButton());
    expect(
      await screen.findByRole('dialog', { name: /Someone else changed SKILL\.md/ }),
    ).toBeTruthy();
  });
});
