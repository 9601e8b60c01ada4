import { screen, waitFor } from '@testing-library/react';
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
function openDialog(token: string | undefined, answer: (body: unknown) => unknown) {
  const file = new File(['# Reads'], 'SKILL.md', { type: 'text/markdown' });
  const files = [{ path: 'SKILL.md', file }];
  return renderWithServer(<ImportDialog opened files={files} onClose={() => undefined} />, {
    'POST /api/admin/skills/validate': report(token),
    'POST /api/admin/skills/import': ({ body }: { body: unknown }) => answer(body),
  });
}

/** Imports a file through the dialog; returns the import request. */
async function importFile(token: string | undefined, answer: (body: unknown) => unknown) {
  const sent = openDialog(token, answer);
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
  const sent = await importFile('t-1', (body) =>
    body === '# Reads' ? installed : refusal(410, 'upload-expired'),
  );
  await waitFor(() => expect(sent()).toEqual(['{"token":"t-1"}', '# Reads']));
  expect(await screen.findByText('1 skill installed.')).toBeTruthy();
});

it('uploads the archive if there is no token', async () => {
  const sent = await importFile(undefined, () => installed);
  await waitFor(() => expect(sent()).toEqual(['# Reads']));
});
