import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Notifications } from '@mantine/notifications';
import { configure, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { renderWithServer } from '../../../testing/render-with-server.tsx';
import { noRunner, runnerFacts } from '../../../testing/runner-facts.ts';
import { SkillScripts } from './skill-scripts.tsx';

const files = ['scripts/fill.py'];
const off = { allowed: false, approved: false, outdated: false, files };
const on = { ...off, allowed: true };

function show(scripts: AdminSkillDetail['scripts'], runner = runnerFacts(), answer?: unknown) {
  const skill = adminSkill({ scripts, checksum: 'c7' });
  const writes = renderWithServer(
    <>
      <SkillScripts skill={skill} />
      <Notifications />
    </>,
    {
      'GET /api/admin/runner': runner,
      'GET /api/admin/skills/pdf': skill,
      'PUT /api/admin/skills/pdf': answer ?? skill,
    },
  );
  return { writes, user: userEvent.setup() };
}

const mayRun = () => screen.findByRole<HTMLInputElement>('switch', { name: 'Allow scripts' });
const approve = () =>
  screen.findByRole<HTMLInputElement>('switch', { name: 'Approve current files' });

configure({ asyncUtilTimeout: 8000 });

describe('the scripts of a skill', () => {
  it('show the runner, and link to their files', async () => {
    show(off);
    expect(await screen.findByText('Sandbox on this machine (bubblewrap)')).toBeTruthy();
    expect(screen.getByText(/Python 3\.11\.2 · Bash 5\.2\.15 · Node\.js 20\.19\.0/)).toBeTruthy();
    const link = screen.getByRole('link', { name: 'scripts/fill.py' });
    expect(link.getAttribute('href')).toBe('/admin/skills/pdf/files/scripts/fill.py');
  });

  it('are allowed, and disallowed again', async () => {
    const { writes, user } = show(off, runnerFacts(), adminSkill({ scripts: on }));
    await user.click(await mayRun());
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(writes.map(({ body }) => body)).toEqual([
        { allowScriptExecution: true },
        { allowScriptExecution: false },
      ]),
    );
  });

  it('are approved for the reviewed files, once they are allowed', async () => {
    const { writes, user } = show(on);
    await user.click(await approve());
    await waitFor(() => expect(writes).toMatchObject([{ body: { approvedScripts: 'c7' } }]));
  });

  it('lose the approval when a file changes, with a notice', async () => {
    show({ ...on, outdated: true });
    expect((await approve()).checked).toBe(false);
    expect(screen.getByText(/Files have changed since the approval/)).toBeTruthy();
  });

  it('can have the approval revoked', async () => {
    const { writes, user } = show({ ...on, approved: true });
    await user.click(await approve());
    await waitFor(() => expect(writes).toMatchObject([{ body: { approvedScripts: '' } }]));
  });

  it('cannot be approved before they are allowed', async () => {
    show(off);
    expect((await approve()).disabled).toBe(true);
  });

  it('explain how to set up a runner if there is none', async () => {
    show(off, noRunner);
    expect(await screen.findByText('No script runner is set up.')).toBeTruthy();
    expect(screen.getByText('SCRIPT_RUNNER=auto').tagName).toBe('CODE');
    expect(screen.getByText('docs/guides/scripts.md').tagName).toBe('CODE');
    expect((await mayRun()).disabled).toBe(true);
  });

  it('explain why a configured runner does not work', async () => {
    show(off, { ...noRunner, wanted: true, warnings: ['bwrap is not there.'] });
    expect(await screen.findByText('bwrap is not there.')).toBeTruthy();
  });

  it('report that the settings file blocks all of them', async () => {
    show(off, runnerFacts({ refused: true }));
    expect(await screen.findByText('settings.allowScriptExecution')).toBeTruthy();
    expect((await mayRun()).disabled).toBe(true);
  });

  it('are not mentioned if there are none', () => {
    show({ ...off, files: [] });
    expect(screen.queryByRole('heading', { name: 'Scripts' })).toBeNull();
  });
});
