import type { ProposedChange, SkillSourceItem } from '@knowhow/shared/skills/skill-sources';
import type { SkillUpstream } from '@knowhow/shared/skills/skill-upstreams';
import { Notifications } from '@mantine/notifications';
import { configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { SourceList } from './source-list.tsx';
import { SourcePage } from './source-page.tsx';

configure({ asyncUtilTimeout: 8000 });

const item: SkillSourceItem = {
  source: {
    id: 'team',
    url: 'https://github.com/team/one.git',
    schedule: 'daily',
    update: 'review',
  },
  checksum: 'seen',
  state: {
    ...{ commit: 'a'.repeat(40), syncedAt: '2026-01-01T00:00:00.000Z' },
    ...{ pending: 3, edited: 1, skills: 2, needsReview: false },
  },
};

const signer = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMGxet4m5pjkmGplAc+5U5KwXE5MQLeEklVmZ0vYIpJm';

const change = (name: string, more: Partial<ProposedChange> = {}): ProposedChange => ({
  ...{ key: `added:${name}`, kind: 'added', name, path: `skills/${name}`, accepted: true },
  ...{ description: `Does ${name}.`, failedChecks: [], diagnostics: [] },
  ...more,
});

/** The text of a checkbox's label. */
const labelOf = (checkbox: HTMLElement) =>
  (checkbox as HTMLInputElement).labels?.[0]?.textContent ?? '';

const changes = [
  change('pdf', { newFiles: 1 }),
  change('letters', { kind: 'changed', conflict: 'edited' }),
  change('old', { kind: 'removed' }),
  change('bad', { accepted: false }),
];

describe('the list of sources', () => {
  it('says how to start without a source, and adds one', async () => {
    const writes = renderWithServer(<SourceList />, {
      'GET /api/admin/skill-sources': { items: [] },
      'POST /api/admin/skill-sources': item,
    });
    expect(await screen.findByText('No sources yet')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Add source' }));
    await userEvent.type(await screen.findByLabelText('Name'), 'team');
    await userEvent.type(screen.getByLabelText('Repository'), 'team/one');
    await userEvent.type(screen.getByLabelText('Folders'), 'a, b');
    const [, submit] = screen.getAllByRole('button', { name: 'Add source', hidden: true });
    await userEvent.click(submit as HTMLElement);
    await waitFor(() =>
      expect(writes[0]?.body).toEqual({
        ...{ id: 'team', url: 'team/one', paths: ['a', 'b'], schedule: 'daily', update: 'review' },
      }),
    );
  });

  it('names the state of each source', async () => {
    const { state, source } = item;
    const lost = { ...source, id: 'lost' };
    const failed = { source: lost, checksum: 'lost', state: { ...state, error: 'No.' } };
    renderWithServer(<SourceList />, {
      'GET /api/admin/skill-sources': { items: [item, failed] },
    });
    expect(await screen.findByRole('link', { name: 'team' })).toBeTruthy();
    expect(screen.getByText('3 changes to review')).toBeTruthy();
    expect(screen.getByText('Last sync failed')).toBeTruthy();
  });
});

describe('the page of a source', () => {
  const page = (
    <>
      <SourcePage id="team" />
      <Notifications />
    </>
  );
  const open = (answers: Record<string, unknown> = {}) =>
    renderWithServer(page, {
      'GET /api/admin/skill-sources/team': item,
      'GET /api/admin/skill-sources/team/proposal': { changes },
      'GET /api/admin/skill-sources/team/skills': { items: [] },
      'POST /api/admin/skill-sources/team/proposal/apply': {
        ...{ installed: ['pdf'], switchedOff: [], kept: [], drafted: [] },
      },
      ...answers,
    });

  it('proposes what needs no decision, and takes what is chosen', async () => {
    const writes = open();
    const pdf = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'pdf' });
    const letters = screen.getByRole<HTMLInputElement>('checkbox', { name: 'letters' });
    const bad = screen.getByRole<HTMLInputElement>('checkbox', { name: 'bad' });
    expect([pdf.checked, letters.checked, bad.disabled]).toEqual([true, false, true]);
    expect(screen.getByText('1 skill is switched off.')).toBeTruthy();
    expect(
      screen.getByText('Changes that change no files here cannot be saved as drafts.'),
    ).toBeTruthy();
    await userEvent.click(letters);
    expect(screen.getByText(/The files of 1 skill here are replaced/)).toBeTruthy();
    await userEvent.click(screen.getByRole('checkbox', { name: 'old' }));
    await userEvent.click(screen.getByRole('button', { name: 'Take 2 changes' }));
    await waitFor(() =>
      expect(writes[0]?.body).toEqual({ take: ['added:pdf', 'added:letters'], resolve: [] }),
    );
    expect(await screen.findByText('2 changes taken.')).toBeTruthy();
  });

  const added = (line: string) => ({
    ...{ path: 'SKILL.md', change: 'added' as const, bytesAfter: 9 },
    hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: [`+${line}`] }],
  });
  const at = '/api/admin/skill-sources/team/proposal';

  it('shows the files of a new and of a changed skill when they are opened', async () => {
    let asked = 0;
    open({
      [`GET ${at}`]: {
        changes: [
          change('pdf', { newFiles: 2 }),
          change('letters', { kind: 'changed', changedFiles: 1 }),
        ],
      },
      [`GET ${at}/files`]: () => {
        asked += 1;
        const files = [added(`Opened as ${asked}.`), { path: 'logo.png', change: 'added' }];
        return { diagnostics: [], changes: files };
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Show 2 files' }));
    expect(await screen.findByText('Opened as 1.')).toBeTruthy();
    expect(screen.getByRole('button', { name: /^logo.png/ })).toBeTruthy();
    expect(asked).toBe(1);
    await userEvent.click(screen.getByRole('button', { name: 'Changes: 1 file' }));
    expect(await screen.findByText('Opened as 2.')).toBeTruthy();
  });

  it('says that a change is no longer proposed, and loads the proposal again', async () => {
    let changed = change('pdf', { newFiles: 1 });
    open({
      [`GET ${at}`]: () => ({ changes: [changed] }),
      [`GET ${at}/files`]: () => refusal(409, 'conflict'),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Show 1 file' }));
    expect(await screen.findByText(/^This change is out of date/)).toBeTruthy();
    changed = change('report', { newFiles: 1 });
    await userEvent.click(screen.getByRole('button', { name: 'Reload proposal' }));
    expect(await screen.findByRole('checkbox', { name: 'report' })).toBeTruthy();
    expect(screen.queryByText(/^This change is out of date/)).toBeNull();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Proposed changes' })),
    );
  });

  it('keeps the choice if the proposal cannot be loaded again', async () => {
    let isDown = false;
    open({
      [`GET ${at}`]: () =>
        isDown ? refusal(502, 'git-failed') : { changes: [change('pdf'), change('report')] },
      [`POST ${at}/apply`]: () => {
        isDown = true;
        return refusal(409, 'conflict');
      },
    });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'report' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Take 1 change' }));
    expect(await screen.findByText('The git repository could not be read.')).toBeTruthy();
    const isChosen = (name: string) =>
      screen.getByRole<HTMLInputElement>('checkbox', { name }).checked;
    expect([isChosen('pdf'), isChosen('report')]).toEqual([true, false]);
    expect(screen.getByText(/conflicts with the current state/)).toBeTruthy();
  });

  it('says why the files of a change cannot be shown, and tries again', async () => {
    let asked = 0;
    open({
      [`GET ${at}`]: { changes: [change('pdf', { newFiles: 1 })] },
      [`GET ${at}/files`]: () => {
        asked += 1;
        return asked === 1
          ? refusal(502, 'git-failed')
          : { diagnostics: [], changes: [added('Read.')] };
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Show 1 file' }));
    expect(await screen.findByText('The git repository could not be read.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Read.')).toBeTruthy();
  });

  it('keeps saying why nothing was taken after the proposal was loaded again', async () => {
    let changed = change('pdf');
    let synced = item;
    open({
      'GET /api/admin/skill-sources/team': () => synced,
      [`GET ${at}`]: () => ({ changes: [changed] }),
      [`POST ${at}/apply`]: () => {
        changed = change('report');
        synced = { ...item, state: { ...item.state, syncedAt: '2026-11-30T10:00:00.000Z' } };
        return refusal(409, 'conflict');
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Take 1 change' }));
    expect(await screen.findByRole('checkbox', { name: 'report' })).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain('conflicts with the current state');
  });

  /** Six groups of changes, most of them with many skills. */
  const groups = [
    ...Array.from({ length: 60 }, (_, at) => change(`changed-${at}`, { kind: 'changed' })),
    ...Array.from({ length: 3 }, (_, at) =>
      change(`edited-${at}`, {
        ...{ kind: 'changed', conflict: 'edited' },
        merge: { checksum: `both-${at}`, hasBase: true, files: 2, conflicts: at === 0 ? 1 : 0 },
      }),
    ),
    change('taken', { conflict: 'name-taken' }),
    change('fresh', { description: 'Reads invoices.' }),
    change('old', { kind: 'removed' }),
    change('moved', { kind: 'renamed', nameBefore: 'former' }),
    change('risky', { failedChecks: ['secrets'] }),
    change('bad', { accepted: false }),
  ];
  const state = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'State' });
  const find = (value: string) =>
    fireEvent.change(screen.getByLabelText('Search names, descriptions and folders'), {
      target: { value },
    });

  it('groups changes, and finds them by name, former name and description', async () => {
    open({ [`GET ${at}`]: { changes: groups } });
    expect(await screen.findByText('changed-0')).toBeTruthy();
    expect([...state().options].map(({ textContent }) => textContent)).toEqual([
      ...['All (69)', 'New (2)', 'Changed (60)', 'Renamed (1)', 'Edited here (3)'],
      ...['With conflicts (1)', 'Name is taken (1)', 'Removed (1)', 'Not accepted (1)'],
      'With findings (1)',
    ]);
    const names = () => screen.queryAllByRole('checkbox').map((each) => labelOf(each));
    fireEvent.change(state(), { target: { value: 'edited' } });
    expect(names()).toEqual(['edited-0', 'edited-1', 'edited-2']);
    fireEvent.change(state(), { target: { value: '' } });
    find('FORMER');
    await waitFor(() => expect(names()).toEqual(['moved']));
    find('invoices');
    await waitFor(() => expect(names()).toEqual(['fresh']));
    find('nothing like this');
    expect(await screen.findByText('No skill matches.')).toBeTruthy();
  });

  it('shows all changes that are left after most were taken, without a filter', async () => {
    let changes = groups;
    open({
      [`GET ${at}`]: () => ({ changes }),
      [`POST ${at}/apply`]: () => {
        changes = [change('fresh'), change('risky')];
        return { installed: [], switchedOff: [], kept: [], drafted: [] };
      },
    });
    expect(await screen.findByText('changed-0')).toBeTruthy();
    fireEvent.change(state(), { target: { value: 'changed' } });
    await userEvent.click(screen.getByRole('button', { name: /^Take/ }));
    expect(await screen.findByRole('checkbox', { name: 'risky' })).toBeTruthy();
    expect(screen.queryByRole('combobox', { name: 'State' })).toBeNull();
  });

  it('selects and skips only what is shown, and counts what is not', async () => {
    const writes = open({ [`GET ${at}`]: { changes: groups } });
    fireEvent.click(await screen.findByText('Skip shown (69)'));
    find('changed-1');
    fireEvent.click(await screen.findByText('Select shown (11)'));
    find('');
    fireEvent.change(state(), { target: { value: 'removed' } });
    fireEvent.click(await screen.findByText('Select shown (1)'));
    expect(screen.getByText('11 selected skills are not shown.')).toBeTruthy();
    fireEvent.change(state(), { target: { value: 'rejected' } });
    expect(await screen.findByText('Select shown (0)')).toBeTruthy();
    fireEvent.click(screen.getByText('Take 12 changes'));
    await waitFor(() => expect(writes).toHaveLength(1));
    const ten = Array.from({ length: 10 }, (_, at) => `added:changed-1${at}`);
    expect(writes[0]?.body).toEqual({
      ...{ take: ['added:changed-1', ...ten, 'added:old'], resolve: [] },
    });
  });

  it('decides how all edited skills that are shown are taken', async () => {
    const writes = open({ [`GET ${at}`]: { changes: groups } });
    fireEvent.click(await screen.findByText('Skip shown (69)'));
    fireEvent.change(state(), { target: { value: 'edited' } });
    fireEvent.click(await screen.findByText('Select shown (3)'));
    const take = screen.getByRole<HTMLButtonElement>('button', { name: 'Take 3 changes' });
    expect(take.disabled).toBe(true);
    expect(screen.getByText(/1 selected skill has a conflict/)).toBeTruthy();
    const all = screen.getByLabelText('How to take 3 edited skills');
    await userEvent.selectOptions(all, 'Keep the files here');
    fireEvent.click(take);
    await waitFor(() => expect(writes).toHaveLength(1));
    const keys = [0, 1, 2].map((at) => ({ key: `added:edited-${at}`, checksum: `both-${at}` }));
    expect(writes[0]?.body).toEqual({
      ...{
        take: keys.map(({ key }) => key),
        resolve: keys.map((key) => ({ ...key, use: 'ours' })),
      },
    });
  });

  it('takes 500 changed skills with one click, and those that were edited here with two', async () => {
    const changed = Array.from({ length: 500 }, (_, at) =>
      change(`skill-${at}`, { kind: 'changed', ...(at < 3 ? { conflict: 'edited' } : {}) }),
    );
    const writes = open({ 'GET /api/admin/skill-sources/team/proposal': { changes: changed } });
    const take = await screen.findByText('Take 497 changes');
    expect(screen.getAllByLabelText(/^skill-/)).toHaveLength(50);
    fireEvent.click(take);
    fireEvent.click(screen.getByText('Select shown (500)'));
    fireEvent.click(await screen.findByText('Take 500 changes'));
    const taken = () => writes.map(({ body }) => (body as { take: string[] }).take.length);
    await waitFor(() => expect(taken()).toEqual([497, 500]));
  });

  it('saves changes as drafts, and leads to them', async () => {
    const writes = open({
      'POST /api/admin/skill-sources/team/proposal/apply': {
        ...{ installed: [], switchedOff: [], kept: [], drafted: ['pdf'] },
      },
    });
    await screen.findByRole('checkbox', { name: 'pdf' });
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save as drafts' });
    expect(button.disabled).toBe(true);
    await userEvent.click(screen.getByRole('checkbox', { name: 'old' }));
    await userEvent.click(button);
    const link = await screen.findByRole('link', { name: 'pdf' });
    expect(link.getAttribute('href')).toBe('/admin/skills/pdf');
    expect(writes[0]?.body).toEqual({ take: ['added:pdf'], resolve: [], asDrafts: true });
  });

  it('shows both sides of a skill that was edited here, and takes the merge', async () => {
    const hunk = (line: string) => [
      { oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: [`+${line}`] },
    ];
    const changed = (path: string, line: string) => ({
      ...{ path, change: 'changed' as const, hunks: hunk(line) },
    });
    const edited = change('letters', {
      ...{ kind: 'changed', conflict: 'edited' },
      merge: { checksum: 'both', hasBase: true, files: 2, conflicts: 1 },
    });
    const both = {
      unchanged: 4,
      files: [
        {
          ...{ path: 'SKILL.md', state: 'conflict' },
          theirs: changed('SKILL.md', 'there'),
          ours: changed('SKILL.md', 'here'),
        },
        { path: 'a.md', state: 'theirs', theirs: changed('a.md', 'new there') },
      ],
    };
    const writes = open({
      [`GET ${at}`]: { changes: [edited] },
      [`GET ${at}/files`]: { diagnostics: [], changes: [], merge: both },
    });
    await userEvent.click(await screen.findByRole('checkbox', { name: 'letters' }));
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^Merge/ }).checked).toBe(true);
    expect(screen.getByText(/Choose a side for 1 file that/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: '2 files differ' }));
    expect(await screen.findByText('there')).toBeTruthy();
    expect(screen.getByText('here')).toBeTruthy();
    expect(screen.getByText('4 files are unchanged.')).toBeTruthy();
    const take = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Take 1 change' });
    expect(take().disabled).toBe(true);
    await userEvent.selectOptions(screen.getByLabelText('Side for SKILL.md'), 'From here');
    await userEvent.click(take());
    const resolution = { key: 'added:letters', checksum: 'both', use: 'merge' };
    await waitFor(() =>
      expect(writes[0]?.body).toEqual({
        take: ['added:letters'],
        resolve: [{ ...resolution, files: [{ path: 'SKILL.md', use: 'ours' }] }],
      }),
    );
    await userEvent.click(screen.getByRole('radio', { name: 'Keep the files here' }));
    await userEvent.click(take());
    await waitFor(() =>
      expect(writes[1]?.body).toEqual({
        take: ['added:letters'],
        resolve: [{ ...resolution, use: 'ours' }],
      }),
    );
  });

  it('lists its skills, detaches one, and proposes one upstream', async () => {
    const upstream: SkillUpstream = {
      ...{
        source: 'team',
        name: 'pdf',
        localName: 'pdf',
        url: item.source.url,
        path: 'skills/pdf',
      },
      ...{ commit: 'b'.repeat(40), isReadable: true, hasCredentials: true },
    };
    const detached = { ...upstream, name: 'old', detachedAt: '2026-01-01T00:00:00.000Z' };
    const compareUrl = 'https://github.com/team/one/compare/knowhow/pdf-1?expand=1';
    const at = '/api/admin/skill-sources/team/skills';
    const writes = open({
      [`GET ${at}`]: { items: [upstream, detached] },
      [`POST ${at}/pdf/detach`]: upstream,
      [`POST ${at}/old/follow`]: detached,
      [`POST ${at}/pdf/propose`]: { branch: 'knowhow/pdf-1', commit: 'c', compareUrl },
    });
    expect(await screen.findByText('Follows the source')).toBeTruthy();
    expect(screen.getByText(/^Detached since/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Let old follow its source again' }));
    await userEvent.click(screen.getByRole('button', { name: 'Detach pdf' }));
    expect(await screen.findByText(/Later syncs leave the skill alone/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Detach' }));
    await waitFor(() =>
      expect(writes.map(({ line }) => line)).toEqual([
        `POST ${at}/old/follow`,
        `POST ${at}/pdf/detach`,
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Propose pdf upstream' }));
    await userEvent.type(await screen.findByLabelText('Message of the commit'), 'Improve it.');
    await userEvent.click(screen.getByRole('button', { name: 'Push branch' }));
    expect(await screen.findByText('knowhow/pdf-1')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Open the comparison' });
    expect(link.getAttribute('href')).toBe(compareUrl);
    expect(writes[2]?.body).toEqual({ message: 'Improve it.' });
  });

  it('says once what is missing to propose changes to the repository', async () => {
    const url = 'https://git.example.org/team.git';
    const upstream = { source: 'team', url, path: '', commit: 'b'.repeat(40), isReadable: true };
    const items = ['one', 'two'].map((name) => ({ ...upstream, name, hasCredentials: false }));
    open({ 'GET /api/admin/skill-sources/team/skills': { items } });
    expect(await screen.findByText(/enter a variable with credentials in the source/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /upstream/ })).toBeNull();
  });

  it('says that a sync has read the locked commit', async () => {
    const state = { ...item.state, isLocked: true };
    open({ 'POST /api/admin/skill-sources/team/sync': { ...item, state } });
    await userEvent.click(await screen.findByRole('button', { name: 'Sync now' }));
    expect(await screen.findByText(/the commit in config\/skill-sources-lock\.json/)).toBeTruthy();
  });

  it('says why a sync failed', async () => {
    open({ 'POST /api/admin/skill-sources/team/sync': () => refusal(502, 'git-failed') });
    await userEvent.click(await screen.findByRole('button', { name: 'Sync now' }));
    expect(await screen.findByText('The git repository could not be read.')).toBeTruthy();
  });

  it('says that an automatic source only proposes while changes need a review', async () => {
    const state = { ...item.state, needsReview: true };
    open({ 'GET /api/admin/skill-sources/team': { ...item, state } });
    expect(await screen.findByText(/Proposed only, because changes of skills/)).toBeTruthy();
  });

  it('names those whose signature commits need', async () => {
    const requireSigned = { signers: [`ann@example.com,ann ${signer}`, `"Build bot" ${signer}`] };
    open({
      'GET /api/admin/skill-sources/team': { ...item, source: { ...item.source, requireSigned } },
    });
    expect(await screen.findByText('Required from ann@example.com,ann, Build bot')).toBeTruthy();
  });

  it('shows the address of the webhook, and what it lacks', async () => {
    const webhook = { variable: 'SKILL_SOURCE_HOOK' };
    const state = { ...item.state, webhook: 'no-secret' };
    open({
      'GET /api/admin/skill-sources/team': { ...item, source: { ...item.source, webhook }, state },
    });
    expect(await screen.findByText(/\/api\/hooks\/skill-sources\/team$/)).toBeTruthy();
    expect(screen.getByText(/the variable SKILL_SOURCE_HOOK is missing/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy the address of the webhook' })).toBeTruthy();
  });

  describe('edits a source', () => {
    const full = {
      ...item,
      source: { ...item.source, ref: 'main', paths: ['a', 'b'], include: ['*-report'] },
    };
    const start = async (answers: Record<string, unknown>) => {
      const writes = open({ 'GET /api/admin/skill-sources/team': full, ...answers });
      const edit = await screen.findByRole('button', { name: 'Edit' });
      await userEvent.click(edit);
      const url = await screen.findByLabelText<HTMLInputElement>('Repository');
      await waitFor(() => expect(document.activeElement).toBe(url));
      return { writes, edit };
    };
    const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
    const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

    it('and sends only what changed, then returns to the button', async () => {
      const { writes, edit } = await start({ 'PATCH /api/admin/skill-sources/team': full });
      expect(field('Folders').value).toBe('a, b');
      expect(save().disabled).toBe(true);
      await userEvent.clear(field('Branch, tag or commit'));
      await userEvent.selectOptions(field('Look for changes'), 'hourly');
      await userEvent.type(field('Variable with the webhook’s secret'), 'SKILL_SOURCE_HOOK');
      await userEvent.click(save());
      expect(await screen.findByText('Source team saved.')).toBeTruthy();
      const [write] = writes;
      expect(write).toMatchObject({ ifMatch: '"seen"' });
      expect(write?.body).toEqual({
        ...{ ref: null, schedule: 'hourly', webhook: { variable: 'SKILL_SOURCE_HOOK' } },
      });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await waitFor(() => expect(document.activeElement).toBe(edit));
    });

    it('and points to a line that is not a signer', async () => {
      const { writes } = await start({ 'PATCH /api/admin/skill-sources/team': full });
      const signers = field('Allowed signers');
      await userEvent.click(signers);
      await userEvent.paste(`ann ${signer}\n\nbob ssh-dss AAAA`);
      expect(screen.getByText('Line 3 is not a name and a public key.')).toBeTruthy();
      expect(save().disabled).toBe(true);
      await userEvent.clear(signers);
      await userEvent.paste(`ann ${signer}\n\nbob ${signer}\n`);
      await userEvent.click(save());
      await waitFor(() => expect(writes).toHaveLength(1));
      expect(writes[0]?.body).toEqual({
        requireSigned: { signers: [`ann ${signer}`, `bob ${signer}`] },
      });
    });

    it('and says why it was refused', async () => {
      await start({ 'PATCH /api/admin/skill-sources/team': () => refusal(400, 'invalid-request') });
      await userEvent.type(field('Repository'), '/x');
      await userEvent.click(save());
      expect(await screen.findByText('The request is invalid.')).toBeTruthy();
      expect(field('Repository').value).toBe(`${item.source.url}/x`);
    });

    it('and loads the version of another person who was faster', async () => {
      const theirs = { ...full, checksum: 'theirs', source: { ...full.source, ref: 'next' } };
      let current = full;
      const { writes } = await start({
        'GET /api/admin/skill-sources/team': () => current,
        'PATCH /api/admin/skill-sources/team': () => {
          const isFirst = current === full;
          current = theirs;
          return isFirst ? refusal(412, 'changed-meanwhile') : theirs;
        },
      });
      await userEvent.type(field('Folders'), ', c');
      await userEvent.click(save());
      await userEvent.click(
        await screen.findByRole('button', { name: 'Load the current version' }),
      );
      await waitFor(() => expect(field('Branch, tag or commit').value).toBe('next'));
      await userEvent.type(field('Folders'), ', d');
      await userEvent.click(save());
      await waitFor(() => expect(writes).toHaveLength(2));
      expect(writes[1]).toMatchObject({ body: { paths: ['a', 'b', 'd'] }, ifMatch: '"theirs"' });
    });
  });

  it('deletes a source after naming what stays', async () => {
    const writes = open({
      'DELETE /api/admin/skill-sources/team': new Response(null, { status: 204 }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Delete source' }));
    expect(await screen.findByText(/2 skills of this source stay installed/)).toBeTruthy();
    const buttons = screen.getAllByRole('button', { name: 'Delete source', hidden: true });
    await userEvent.click(buttons.at(-1) as HTMLElement);
    await waitFor(() =>
      expect(writes.map(({ line }) => line)).toEqual(['DELETE /api/admin/skill-sources/team']),
    );
  });
});
