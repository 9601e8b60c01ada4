import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { uploadsByFetch } from '../../testing/uploads-by-fetch.ts';
import { ImportDialog } from './import-dialog.tsx';

const leftOut = [
  { path: 'pdf/.git/', files: 3, why: 'tool-folder' },
  { path: 'pdf/.DS_Store', files: 1, why: 'system-file' },
  { files: 2, why: 'no-skill' },
];
const report = (token?: string) => ({
  format: 'skill.md',
  skills: [
    {
      name: 'pdf',
      folder: '',
      displayName: 'PDF',
      description: 'Reads PDF.',
      accepted: true,
      renamable: false,
      valid: true,
      diagnostics: [],
      files: [],
      bytes: 8,
      tokens: { entry: 20, body: 10 },
    },
  ],
  leftOut,
  token,
});
const installed = {
  installed: [
    { name: 'pdf', action: 'created', files: 1, bytes: 8, checksum: 'c', diagnostics: [] },
  ],
  leftOut: [],
};

beforeEach(uploadsByFetch);

/** Opens the dialog with a file; returns the requests. */
function openDialog(
  token: string | undefined,
  answer: (body: unknown) => unknown,
  validated: unknown = report(token),
) {
  const file = new File(['# Reads'], 'SKILL.md', { type: 'text/markdown' });
  const files = [{ path: 'SKILL.md', file }];
  return renderWithServer(<ImportDialog opened files={files} onClose={() => undefined} />, {
    'POST /api/admin/skills/validate': validated,
    'POST /api/admin/skills/import': ({ body }: { body: unknown }) => answer(body),
  });
}

it('shows the checks that stop an import before it, and asks for a reason to override them', async () => {
  const found = { code: 'looks-like-secret', message: 'Looks like a key.', path: 'a.md', line: 2 };
  const failed = { id: 'secrets', level: 'required', passed: false, findings: [found], more: 0 };
  const [skill] = report().skills;
  const file = new File(['# Reads'], 'SKILL.md', { type: 'text/markdown' });
  const files = [{ path: 'SKILL.md', file }];
  const sent = renderWithServer(<ImportDialog opened files={files} onClose={() => undefined} />, {
    'POST /api/admin/skills/validate': { ...report(), skills: [{ ...skill, checks: [failed] }] },
    'POST /api/admin/skills/import': installed,
  });
  expect(await screen.findByRole('list', { name: '1 check fails' })).toBeTruthy();
  const install = screen.getByRole('button', { name: 'Install 1 skill' });
  expect(install).toHaveProperty('disabled', true);
  await userEvent.type(screen.getByRole('textbox', { name: /Reason/ }), 'An example.');
  await userEvent.click(install);
  await waitFor(() => expect(sent.at(-1)?.line).toContain('/import'));
});

/** Imports a file through the dialog; returns the import request. */
async function importFile(
  token: string | undefined,
  answer: (body: unknown) => unknown,
  validated?: unknown,
) {
  const sent = openDialog(token, answer, validated);
  await userEvent.click(await screen.findByRole('button', { name: 'Install 1 skill' }));
  return () => sent.filter(({ line }) => line.endsWith('/import')).map(({ body }) => body);
}

it('lists skipped files, with their number and the reason', async () => {
  openDialog(undefined, () => installed);
  await userEvent.click(await screen.findByText('6 files are skipped'));
  const listed = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(listed.slice(-3)).toEqual([
    'pdf/.git/ (3 files): version control, packages or a cache',
    'pdf/.DS_Store: created by a system or an editor',
    '2 more files: not in a skill folder',
  ]);
});

it('installs the previewed archive by its token, without uploading it again', async () => {
  const sent = await importFile('t-1', () => installed);
  await screen.findByText('1 skill installed.');
  await waitFor(() => expect(sent()).toEqual(['{"token":"t-1"}']));
});

it('uploads the archive again if the server has not cached it', async () => {
  let uploads = 0;
  const sent = await importFile(
    't-1',
    (body) => (body === '{"token":"t-2"}' ? installed : refusal(410, 'upload-expired')),
    () => {
      uploads += 1;
      return report(`t-${uploads}`);
    },
  );
  await waitFor(() => expect(sent()).toEqual(['{"token":"t-1"}', '{"token":"t-2"}']));
  expect(await screen.findByText('1 skill installed.')).toBeTruthy();
});

it('uploads the archive if there is no token', async () => {
  const sent = await importFile(undefined, () => installed);
  await waitFor(() => expect(sent()).toEqual(['# Reads']));
});

/** Events of the server as a stream. */
function events(...all: Record<string, unknown>[]): Response {
  const frames = all.map(
    ({ type, ...data }, at) => `id: ${at + 1}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } });
}

/** A skill of an archive with the given name; it differs from the installed one in a number of files. */
function reported(name: string, changes?: number) {
  const [skill] = report().skills;
  const change = { path: 'SKILL.md', change: 'changed' };
  const conflict = {
    location: `local:${name}`,
    writable: true,
    description: '',
    updatedAt: '2026-03-15T10:00:00Z',
    files: 1,
    bytes: 1,
    changes: Array.from({ length: changes ?? 0 }, () => change),
  };
  return {
    ...skill,
    name,
    folder: `skills/${name}`,
    ...(changes === undefined ? {} : { conflict }),
  };
}

it('replaces all that changed with two clicks, and leaves out the identical', async () => {
  const changed = Array.from({ length: 6 }, (_, at) => reported(`changed-${at}`, 1));
  const sent = await openLarge([reported('brand-new'), ...changed, reported('known', 0)]);
  const state = screen.getByRole<HTMLSelectElement>('combobox', { name: 'State' });
  expect([...state.options].map(({ textContent }) => textContent)).toEqual([
    'All (8)',
    'New (1)',
    'Changed (6)',
    'Identical (1)',
  ]);
  await userEvent.selectOptions(state, 'Changed (6)');
  await userEvent.click(screen.getByRole('button', { name: 'Select shown (6)' }));
  expect(screen.getByText(/6 skills will be replaced/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Install 7 skills' }));
  await waitFor(() => expect(sent.at(-1)?.line).toContain('/import'));
  const { token, select } = JSON.parse(String(sent.at(-1)?.body));
  expect([token, select.length, select.at(-1)]).toEqual(['t-1', 7, 'skills/changed-5']);
});

it('replaces 500 changed skills of an archive with three clicks', async () => {
  const changed = Array.from({ length: 500 }, (_, at) => reported(`changed-${at}`, 1));
  const sent = await openLarge([...changed, reported('known', 0)]);
  const state = screen.getByRole<HTMLSelectElement>('combobox', { name: 'State' });
  await userEvent.selectOptions(state, 'Changed (500)');
  fireEvent.click(screen.getByText('Select shown (500)'));
  fireEvent.click(await screen.findByText('Install 500 skills'));
  await waitFor(() => expect(sent.at(-1)?.line).toContain('/import'));
  expect(JSON.parse(String(sent.at(-1)?.body)).select).toHaveLength(500);
});

it('shows a large import page by page, finds a skill of it, and skips what is shown', async () => {
  await openLarge(Array.from({ length: 52 }, (_, at) => reported(`skill-${at}`)));
  const names = () => screen.getAllByText(/^skill-\d+$/);
  expect(names()).toHaveLength(50);
  fireEvent.click(screen.getByText('Show more'));
  expect(names()).toHaveLength(52);
  const search = screen.getByLabelText('Search names, descriptions and folders');
  fireEvent.change(search, { target: { value: '-51' } });
  fireEvent.click(await screen.findByText('Skip shown (1)'));
  expect(screen.getByRole('button', { name: 'Install 51 skills' })).toBeTruthy();
  expect(screen.getByText('51 selected skills are not shown.')).toBeTruthy();
  fireEvent.change(search, { target: { value: 'x' } });
  expect(await screen.findByText('No skill matches.')).toBeTruthy();
});

/** Opens the dialog for an archive with many skills; returns the requests. */
async function openLarge(skills: unknown[]) {
  const sent = openDialog('t-1', () => installed, { ...report('t-1'), skills });
  await screen.findByText(new RegExp(`^${skills.length} skills in`));
  return sent;
}

const commit = { url: 'https://github.com/team/one.git', commit: 'a'.repeat(40), path: 'skills' };

/** Opens the dialog, and enters an address. */
async function enterAddress(answers: Record<string, unknown>) {
  const sent = renderWithServer(
    <ImportDialog opened files={undefined} onClose={() => undefined} />,
    answers,
  );
  await userEvent.type(await screen.findByLabelText('Address'), 'team/one');
  await userEvent.type(screen.getByLabelText('Folder'), 'skills');
  await userEvent.click(screen.getByRole('button', { name: 'Show skills' }));
  return sent;
}

it('previews a git repository with its commit, and installs it', async () => {
  const found = { type: 'report', report: { ...report('t-1'), format: 'git' }, commit };
  const sent = await enterAddress({
    'POST /api/admin/skills/address': () => events({ type: 'progress', phase: 'listing' }, found),
    'POST /api/admin/skills/import': installed,
  });
  expect(await screen.findByRole('heading', { name: '1 skill in team/one' })).toBeTruthy();
  expect(screen.getByText('Commit aaaaaaaaaa · folder skills')).toBeTruthy();
  expect(sent[0]?.body).toEqual({ address: 'team/one', path: 'skills' });
  await userEvent.click(screen.getByRole('button', { name: 'Install 1 skill' }));
  expect(await screen.findByText('1 skill installed.')).toBeTruthy();
});

it('reads the same commit again if the server has not cached it', async () => {
  let reads = 0;
  const sent = await enterAddress({
    'POST /api/admin/skills/address': () => {
      reads += 1;
      return events({ type: 'report', report: report(`t-${reads}`), commit });
    },
    'POST /api/admin/skills/import': ({ body }: { body: unknown }) =>
      body === '{"token":"t-1"}' ? refusal(410, 'upload-expired') : installed,
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Install 1 skill' }));
  expect(await screen.findByText('1 skill installed.')).toBeTruthy();
  expect(sent[2]?.body).toEqual({ address: commit.url, ref: commit.commit, path: 'skills' });
});

it('says why an address cannot be read, and keeps it for a correction', async () => {
  const detail = 'github.com answers 401: /team/one is private, or does not exist.';
  const problem = { type: '', title: '', status: 502, code: 'git-failed', detail };
  const issues = [{ path: 'address', code: 'private', message: detail }];
  await enterAddress({
    'POST /api/admin/skills/address': () =>
      events({ type: 'error', problem: { ...problem, issues } }),
  });
  expect(await screen.findByText(detail)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Choose another' }));
  expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('team/one');
});

it('stops reading an address on Cancel, and shows nothing that arrives later', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  await enterAddress({ 'POST /api/admin/skills/address': () => new Response(readable) });
  expect(await screen.findByText('Connecting to the server')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  const late = events({ type: 'report', report: report('t-1'), commit });
  await writer.write(new Uint8Array(await late.arrayBuffer()));
  await writer.close();
  expect(await screen.findByLabelText<HTMLInputElement>('Address')).toHaveProperty(
    'value',
    'team/one',
  );
  expect(screen.queryByRole('button', { name: 'Install 1 skill' })).toBeNull();
});
